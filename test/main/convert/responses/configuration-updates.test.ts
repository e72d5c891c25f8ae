import { describe, expect, test } from 'vitest'
import { pass } from '../../../support/strict/loops/through.ts'

type Json = Record<string, unknown>

const said = (content: string): Json => ({ type: 'message', role: 'user', content })
const update = (settings: Json): Json => ({ type: 'configuration_update', ...settings })
const models = {
  chat: 'gpt-5.6-sol',
  messages: 'claude-opus-4-8',
  'generate-content': 'gemini-3-pro-preview',
} as const
const others = Object.keys(models) as (keyof typeof models)[]

const sent = (to: keyof typeof models, input: Json[], body: Json = {}) =>
  pass('responses', to, { model: 'm', input, ...body }, { model: models[to] })

describe('a conversation whose settings change on the way', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const input = [
    said('One'),
    update({ reasoning: { effort: 'low' }, text: { format: { type: 'text' } } }),
    said('Two'),
    update({ id: 'cfg_1', reasoning: { effort: 'high' } }),
    update({ text: { format: { type: 'json_schema', name: 'n', schema, strict: true } } }),
    said('Three'),
  ]

  test('is answered with the last effort and format, in each other format', () => {
    const body = { reasoning: { effort: 'medium' } }
    expect(sent('chat', input, body).body).toMatchObject({
      reasoning_effort: 'high',
      response_format: { type: 'json_schema', json_schema: { name: 'n' } },
    })
    expect(sent('messages', input, body).body).toMatchObject({
      output_config: { effort: 'high', format: { type: 'json_schema' } },
    })
    expect(sent('generate-content', input, body).body).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' }, responseJsonSchema: schema },
    })
  })

  test.each(others)('loses nothing on the way to %s, and says no empty message', (to) => {
    const { body, losses } = sent(to, input)
    expect(losses.filter(({ path }) => path.startsWith('input'))).toEqual([])
    expect(JSON.stringify(body)).not.toContain('" "')
  })

  test('goes back to the model’s own effort by null', () => {
    const back = update({ reasoning: { effort: null } })
    expect(sent('chat', [...input, back]).body).not.toHaveProperty('reasoning_effort')
  })
})

test.each(others)(
  'a setting that is not known yet is refused by its place, not lost, at %s',
  (to) => {
    const unknown = update({ tone: 'calm' })
    expect(() => sent(to, [said('One'), unknown, said('Two')])).toThrow(
      /^input\[1\]: is of the kind configuration_update/,
    )
  },
)

test('an effort of the wrong type is told by its place', () => {
  expect(() => sent('chat', [update({ reasoning: { effort: 3 } })])).toThrow(
    /^input\[0\]\.reasoning\.effort: /,
  )
})
