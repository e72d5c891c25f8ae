import { describe, expect, test } from 'vitest'
import { namedModels } from '../../../../main/convert/check/named-models.ts'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import type { Call } from '../../../../main/relay/call/call.ts'
import { expectedCost } from '../../../../main/relay/pricing/expected-cost.ts'
import { priceOf } from '../../../../main/relay/pricing/model-price.ts'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'
import type { Settings } from '../../../../main/store/state/settings-schema.ts'

const callOf = (format: string, body: Record<string, unknown>): Call =>
  ({
    ...{ format, model: body.model, verb: 'generate', form: null },
    body: new JsonFields(Buffer.from(JSON.stringify(body))),
  }) as unknown as Call

/** Units that must be left for a call, and without its prompt those of its answer. */
function needed(format: string, body: Record<string, unknown>, own: Partial<Settings> = {}) {
  const call = callOf(format, body)
  const price = priceOf(String(body.model), { ...defaultSettings, ...own })
  if (!price) throw new Error('It has no price.')
  return (further?: Readonly<Record<string, unknown>>) =>
    expectedCost(call, price, 0, 1, further).needed
}

const messages = [{ role: 'user', content: 'Hi' }]

describe('what must be left for a call', () => {
  test('is as much for each of several answers', () => {
    const settings = { ModelRatio: { m: 1 } }
    const body = { model: 'm', messages, max_tokens: 1000 }
    const one = needed('chat', { ...body, n: 1 }, settings)()
    expect(needed('chat', { ...body, n: 3 }, settings)()).toBe(one + 2000)
  })

  test('is a whole unit for any part of one', () => {
    const settings = { ModelRatio: { m: 0.0001 } }
    expect(needed('chat', { model: 'm', messages, max_tokens: 11_000 }, settings)()).toBe(2)
  })

  test('is the price of a search for each hundred documents that are begun', () => {
    const search = 0.002 * 500_000
    const cost = (documents: unknown) =>
      needed('rerank', { model: 'rerank-v3.5', query: 'a', documents })()
    const list = (count: number) => Array.from({ length: count }, () => 'a')
    expect([cost(list(1)), cost(list(100)), cost(list(101))]).toEqual([search, search, 2 * search])
  })

  test('is the price of a call for each picture that a further model may make', () => {
    const body = { model: 'm', prompt: 'A cat', models: [{ model: 'm', n: 4 }] }
    const cost = needed('images', body, { ModelPrice: { m: 0.01 } })
    const [further] = namedModels(callOf('images', body).body)
    expect([cost(), cost(further?.own)]).toEqual([5000, 20_000])
  })
})
