import { expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import {
  recordedAnswers,
  recordedRequests,
} from '../../../support/recordings/recorded-exchanges.ts'
import { formats } from '../../../support/strict/loops/stage.ts'
import { conversions, pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

/** What every object has under this name is neither a rule nor a word of any format. */
const WORD = 'constructor'

const asked: Readonly<Record<WireFormat, Json>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model: 'm', input: 'Hi' },
  messages: { model: 'm', max_tokens: 4000, messages: [{ role: 'user', content: 'Hi' }] },
  'generate-content': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}

/** The value's strings, as functions that give the whole with this one replaced; one of each place in a list. */
function replacements(whole: unknown, seen: Set<string>): [place: string, changed: Json][] {
  const found: [string, Json][] = []
  const walk = (value: unknown, place: string, put: (value: unknown) => unknown) => {
    const sameAs = place.replaceAll(/\[\d+\]/g, '[]')
    if (typeof value === 'string' && !seen.has(sameAs)) {
      seen.add(sameAs)
      found.push([place, put(WORD) as Json])
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        walk(item, `${place}[${index}]`, (other) => put(value.with(index, other)))
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value))
        walk(item, `${place}.${name}`, (other) => put({ ...value, [name]: other }))
    }
  }
  walk(whole, '', (value) => value)
  return found
}

/** What goes wrong otherwise than by a refusal. */
function faultOf(convert: () => unknown): string | null {
  try {
    const text = JSON.stringify(convert())
    // A function in the place of a word is left out of JSON, or told with its source.
    return text.includes('native code') ? 'a function’s source' : null
  } catch (error) {
    if (error instanceof GatewayError && !error.message.includes('native code')) return null
    return String(error)
  }
}

test.each(formats)('no word of a request in %s is taken for what all objects have', (from) => {
  const seen = new Set<string>()
  const faults = recordedRequests
    .filter(({ format }) => format === from)
    .flatMap(({ body }) => replacements(body, seen))
    .flatMap(([place, body]) =>
      formats.flatMap((to) => {
        const fault = faultOf(() => pass(from, to, body).body)
        return fault === null ? [] : `${place} to ${to}: ${fault}`
      }),
    )
  expect(seen.size).toBeGreaterThan(20)
  expect(faults).toEqual([])
})

test.each(formats)('no word of an answer in %s is taken for what all objects have', (to) => {
  const seen = new Set<string>()
  const faults = recordedAnswers
    .filter(({ format }) => format === to)
    .flatMap(({ body }) => replacements(body, seen))
    .flatMap(([place, answer]) =>
      formats.flatMap((from) => {
        const told = faultOf(() => pass(from, to, asked[from]).whole(answer))
        const read = faultOf(() => {
          const { choices } = conversions[to].decodeResponse(answer)
          const isWord = choices.every(({ stop }) => typeof stop.reason === 'string')
          if (!isWord) throw new Error('the reason of its end is no word')
          return choices
        })
        return [told, read].flatMap((fault) =>
          fault === null ? [] : `${place} for ${from}: ${fault}`,
        )
      }),
    )
  expect(seen.size).toBeGreaterThan(5)
  expect(faults).toEqual([])
})
