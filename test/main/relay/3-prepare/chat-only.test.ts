import { expect, onTestFinished, test } from 'vitest'
import { startPair } from '../../../support/gateway/pair.ts'

const body = { model: 'base', prompt: 'Once upon a time' }
const gone = { status: 404, body: { error: { message: 'The model is not loaded.' } } }
const completion = { object: 'text_completion', choices: [{ index: 0, text: ' there was' }] }
const chat = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] }

async function paths(replies: object[], calls: number): Promise<string[]> {
  const pair = await startPair({ empty: true })
  onTestFinished(() => pair.close())
  pair.gateway.addChannel({ baseUrl: pair.upstream.url, models: ['base'] })
  pair.upstream.script(...replies)
  for (let call = 0; call < calls; call++) await pair.send('/v1/completions', { body })
  return pair.upstream.requests.map(({ url }) => url.replace('/v1', ''))
}

test('a model that was away is completed again when it is back', async () => {
  const asked = await paths([gone, gone, { body: completion }], 2)
  expect(asked).toEqual(['/completions', '/chat/completions', '/completions'])
})

test.each([[404], [405], [501]])(
  'a model that only converses (%i) is asked so at once from then on',
  async (status) => {
    const asked = await paths([{ ...gone, status }, { body: chat }, { body: chat }], 2)
    expect(asked).toEqual(['/completions', '/chat/completions', '/chat/completions'])
  },
)
