import { describe, expect, test } from 'vitest'
import { IssuedStates } from '../answers/issued-state.ts'
import { checkGenerateContent } from './check-generate-content.ts'
import type { Json } from './refusal.ts'
import { PNG, refusedBy } from './refused-by.ts'

const issued = new IssuedStates()
const ofCall = issued.issue({ text: '', calls: ['fc1'], said: '', id: 'x' }).data
const ofText = issued.issue({ text: '', calls: [], said: 'x', id: 'x' }).data
const hi = { role: 'user', parts: [{ text: 'Hi' }] }
const base = { contents: [hi] }
const call = (more: Json = {}) => ({ functionCall: { name: 'get', args: {}, id: 'fc1' }, ...more })
const response = { functionResponse: { name: 'get', id: 'fc1', response: { output: 'x' } } }
const loop = (model: Json[], user: Json[]) => ({
  contents: [hi, { role: 'model', parts: model }, { role: 'user', parts: user }],
})
const signed = call({ thoughtSignature: ofCall })
const parts = (...list: Json[]) => ({ contents: [{ role: 'user', parts: list }] })
const parameters = (schema: Json, name = 'get') => ({
  ...base,
  tools: [{ functionDeclarations: [{ name, parameters: schema }] }],
})
const field = (schema: Json) => parameters({ type: 'OBJECT', properties: { a: schema } })
const config = (generationConfig: Json) => ({ ...base, generationConfig })
const says = (body: Json, model = 'gemini-3.5-pro') =>
  refusedBy(() => checkGenerateContent(body, model, issued))

test.each([
  ['a plain question', base],
  ['a loop with its signature', loop([signed], [response])],
  [
    'a call that came from elsewhere, with the sentinel',
    loop(
      [{ functionCall: { name: 'get' }, thoughtSignature: 'skip_thought_signature_validator' }],
      [{ functionResponse: { name: 'get', response: {} } }],
    ),
  ],
  [
    'any JSON Schema in parametersJsonSchema',
    {
      ...base,
      tools: [
        {
          functionDeclarations: [
            {
              name: 'get',
              parametersJsonSchema: { type: 'object', $schema: 'x', additionalProperties: false },
            },
          ],
        },
      ],
    },
  ],
  [
    'a signature on an empty text',
    loop([{ text: 'x' }, { text: '', thoughtSignature: ofText }], [{ text: 'y' }]),
  ],
])('takes %s', (_, body) => expect(says(body)).toBeNull())

test('takes a loop without signatures on Gemini 2', () =>
  expect(says(loop([call()], [response]), 'gemini-2.5-flash')).toBeNull())

describe('refuses', () => {
  test.each<[string, Json, string]>([
    ['an unknown field', { ...base, foo: 1 }, 'foo'],
    ['an unknown field of a part', parts({ text: 'x', cache_control: {} }), 'cache_control'],
    ['no contents', { contents: [] }, 'not specified'],
    ['contents without parts', parts(), 'must not be empty'],
    ['an empty text', parts({ text: '' }), 'must have a text'],
    ['two kinds in a part', parts({ text: 'x', inlineData: {} }), 'oneof'],
    [
      'a model first',
      { contents: [{ role: 'model', parts: [{ text: 'x' }] }, hi] },
      'begin with a user',
    ],
    ['two users in a row', { contents: [hi, hi] }, 'alternate'],
    [
      'a role of another format',
      { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] },
      'role',
    ],
    ['a response that is missing', loop([signed], [{ text: 'x' }]), 'number of function response'],
    ['a response too many', loop([signed], [response, response]), 'number of function response'],
    ['a response without call', parts(response), 'immediately after'],
    [
      'a response of another name',
      loop([signed], [{ functionResponse: { name: 'x', id: 'fc1', response: {} } }]),
      'for “x”',
    ],
    [
      'a response of another id',
      loop([signed], [{ functionResponse: { name: 'get', id: 'z', response: {} } }]),
      'ids',
    ],
    [
      'a response that is text',
      loop([signed], [{ functionResponse: { name: 'get', id: 'fc1', response: 'x' } }]),
      'object',
    ],
    ['a call without signature', loop([call()], [response]), 'missing a thought_signature'],
    ['a foreign signature', loop([call({ thoughtSignature: 'abc' })], [response]), 'not valid'],
    [
      'a signature of another call',
      loop(
        [{ functionCall: { name: 'b' }, thoughtSignature: ofCall }],
        [{ functionResponse: { name: 'b', response: {} } }],
      ),
      'another function call',
    ],
    [
      'a signature of a text on a call',
      loop([call({ thoughtSignature: ofText })], [response]),
      'another function call',
    ],
    [
      'the sentinel in place of the real one',
      loop([call({ thoughtSignature: 'skip_thought_signature_validator' })], [response]),
      'given away',
    ],
    ['$schema in parameters', field({ type: 'STRING', $schema: 'x' }), '$schema'],
    [
      'additionalProperties in parameters',
      parameters({ type: 'OBJECT', additionalProperties: false }),
      'additionalProperties',
    ],
    ['const in parameters', field({ type: 'STRING', const: 'x' }), 'const'],
    [
      'exclusiveMinimum in parameters',
      field({ type: 'INTEGER', exclusiveMinimum: 1 }),
      'exclusiveMinimum',
    ],
    ['a list of types', field({ type: ['string', 'null'] }), 'type'],
    ['an unknown format', field({ type: 'STRING', format: 'uri' }), 'format'],
    ['an enum of numbers', field({ type: 'INTEGER', enum: [1] }), 'enum'],
    ['an array without items', field({ type: 'ARRAY' }), 'items'],
    ['an object without properties', field({ type: 'OBJECT', properties: {} }), 'non-empty'],
    [
      'a required key that is not there',
      parameters({ type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['b'] }),
      'not defined',
    ],
    [
      'a function name that begins with a digit',
      parameters({ type: 'OBJECT' }, '1a'),
      'Invalid function name',
    ],
    [
      'two functions of one name',
      { ...base, tools: [{ functionDeclarations: [{ name: 'a' }, { name: 'a' }] }] },
      'unique',
    ],
    ['an empty tool', { ...base, tools: [{}] }, 'one_of'],
    [
      'ANY without functions',
      { ...base, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
      'without function_declarations',
    ],
    [
      'names beside AUTO',
      {
        ...parameters({ type: 'OBJECT' }),
        toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['get'] } },
      },
      'only be set with mode ANY',
    ],
    [
      'a budget beside a level',
      config({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } }),
      'only one',
    ],
    ['no thinking on Pro', config({ thinkingConfig: { thinkingBudget: 0 } }), 'thinking mode'],
    ['MINIMAL on Pro', config({ thinkingConfig: { thinkingLevel: 'MINIMAL' } }), 'MINIMAL'],
    ['six stop sequences', config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] }), 'at most 5'],
    ['a schema without JSON', config({ responseJsonSchema: {} }), 'application/json'],
    [
      'a picture in the system text',
      { ...base, systemInstruction: { parts: [{ inlineData: {} }] } },
      'inlineData',
    ],
    [
      'a picture with a wrong label',
      parts({ inlineData: { mimeType: 'image/jpeg', data: PNG } }),
      'appears to be',
    ],
  ])('%s', (_, body, sentence) => expect(says(body)).toContain(sentence))

  test('a thinking level on Gemini 2', () =>
    expect(
      says(config({ thinkingConfig: { thinkingLevel: 'LOW' } }), 'gemini-2.5-flash'),
    ).toContain('level'))

  test('a picture in a function response on Gemini 2', () => {
    const withImage = {
      functionResponse: {
        ...response.functionResponse,
        parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
      },
    }
    expect(says(loop([call()], [withImage]), 'gemini-2.5-flash')).toContain('Multimodal')
  })
})
