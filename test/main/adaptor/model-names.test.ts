import { describe, expect, test } from 'vitest'
import { modelNames } from '../../../main/adaptor/model-names.ts'

describe('a vendor’s list of models', () => {
  test.each([
    ['OpenAI', { object: 'list', data: [{ id: 'a', object: 'model' }, { id: 'b' }] }],
    ['Gemini and Ollama', { models: [{ name: 'a' }, { name: 'b' }] }],
    ['Together, a bare array', [{ id: 'a' }, { id: 'b' }]],
    ['names alone', { data: ['a', 'b'] }],
    ['with one twice', [{ id: 'a' }, { id: 'b' }, { id: 'a' }]],
  ])('%s', (_vendor, body) => {
    expect(modelNames(body)).toEqual(['a', 'b'])
  })

  test('may be empty', () => {
    expect(modelNames({ object: 'list', data: null })).toEqual([])
    expect(modelNames({ data: [] })).toEqual([])
  })

  test.each([null, 'a page', {}, { data: {} }, { data: [1, {}] }, { object: 'list' }])(
    'is not %j',
    (body) => {
      expect(() => modelNames(body)).toThrow(expect.objectContaining({ code: 'upstream_invalid' }))
    },
  )

  test('that is an error keeps the vendor’s own sentence', () => {
    expect(() => modelNames({ error: { message: 'Invalid key.' } })).toThrow(/Invalid key\./)
    expect(() => modelNames({ code: 7, msg: 'no such group' })).toThrow(/no such group/)
  })
})
