import { expect, test } from 'vitest'
import type { ExchangeRequest } from '../../../../main/convert/exchange.ts'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { markState } from '../../../../main/convert/reasoning/reasoning-state.ts'
import { completeResults } from '../../../../main/convert/turns.ts'
import { geminiCliLater } from '../../../support/agent-requests/gemini-cli.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { decoded, encoded } from './wire-ways.ts'

const ask = (body: Json): ExchangeRequest =>
  decoded({ contents: [{ parts: [{ text: 'Hi' }] }], ...body })
const parts = (...list: Json[]) => decoded({ contents: [{ parts: list }] }).turns[0]?.parts

test('a role that is missing is the user’s', () => {
  expect(ask({}).turns).toEqual([
    {
      role: 'user',
      at: 'contents[0]',
      parts: [{ type: 'text', text: 'Hi', at: 'contents[0].parts[0]' }],
    },
  ])
})

test.each([
  ['text', 'Be brief.'],
  ['an object', { parts: [{ text: 'Be brief.' }], role: 'user' }],
  ['a bare part', { text: 'Be brief.' }],
  ['a list of parts', [{ text: 'Be brief.' }]],
])('a system instruction may be %s', (_, systemInstruction) => {
  expect(ask({ systemInstruction }).turns[0]).toMatchObject({
    role: 'system',
    parts: [{ type: 'text', text: 'Be brief.' }],
  })
})

test.each([
  [{ systemInstruction: 'Be brief.', system_instruction: 'Be long.' }],
  [{ system_instruction: 'Be long.', systemInstruction: 'Be brief.' }],
])('of a field in both spellings Google’s own counts, whichever comes first: %j', (body) => {
  expect(ask(body).turns[0]?.parts).toMatchObject([{ text: 'Be brief.' }])
})

const loop = (calls: Json[], results: Json[]) => [
  { role: 'user', parts: [{ text: 'Hi' }] },
  { role: 'model', parts: calls.map((functionCall) => ({ functionCall })) },
  { role: 'function', parts: results.map((functionResponse) => ({ functionResponse })) },
]

test('calls without ids get some, and results find theirs by name and order', () => {
  const contents = loop(
    [{ name: 'a' }, { name: 'b' }, { name: 'a', args: { n: 2 } }],
    [
      { name: 'b', response: { output: 'of b' } },
      { name: 'a', response: { output: 'of the first a' } },
      { name: 'a', response: { output: 'of the second a' } },
    ],
  )
  const [, model, tool] = decoded({ contents }).turns
  const ids = model?.parts.map((part) => (part.type === 'call' ? part.id : null))
  expect(new Set(ids).size).toBe(3)
  expect(ids?.every((id) => /^call_[a-z0-9]{24}$/.test(id ?? ''))).toBe(true)
  expect(tool?.role).toBe('tool')
  expect(tool?.parts.map((part) => (part.type === 'result' ? part.callId : null))).toEqual([
    ids?.[1],
    ids?.[0],
    ids?.[2],
  ])
  // The next call of the conversation sends the same beginning: it has to read the same.
  const later = decoded({
    contents: [...contents, ...loop([{ name: 'a' }], [{ name: 'a' }])],
  }).turns
  expect(later.slice(0, 3)).toEqual([decoded({ contents }).turns[0], model, tool])
  const again = later[4]?.parts[0]
  expect(again?.type === 'call' && ids?.includes(again.id)).toBe(false)
})

test('ids that were sent are kept', () => {
  const contents = loop(
    [
      { name: 'a', id: 'x' },
      { name: 'a', id: 'y' },
    ],
    [
      { name: 'a', id: 'y', response: {} },
      { name: 'a', id: 'x', response: {} },
    ],
  )
  const [, , tool] = decoded({ contents }).turns
  expect(tool?.parts.map((part) => (part.type === 'result' ? part.callId : null))).toEqual([
    'y',
    'x',
  ])
})

test('a result that is sent twice is not taken for the next call’s', () => {
  const [, , tool] = decoded({
    contents: loop(
      [
        { name: 'a', id: 'x' },
        { name: 'a', id: 'y' },
      ],
      [
        { name: 'a', id: 'x', response: {} },
        { name: 'a', id: 'x', response: {} },
        { name: 'a', id: 'y', response: {} },
      ],
    ),
  }).turns
  expect(tool?.parts.map((part) => (part.type === 'result' ? part.callId : null))).toEqual([
    'x',
    'x',
    'y',
  ])
})

test.each([
  'skip_thought_signature_validator',
  Buffer.from('skip_thought_signature_validator').toString('base64'),
  'context_engineering_is_the_way_to_go',
])('a client’s word that a call has no signature is none: %s', (thoughtSignature) => {
  const contents = [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ functionCall: { name: 'a', args: {} }, thoughtSignature }] },
    { role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }] },
  ]
  const request = decoded({ contents })
  expect(request.turns[1]?.parts).toMatchObject([{ type: 'call', name: 'a' }])
  expect(request.turns[1]?.parts[0]).not.toHaveProperty('state')
  const { body, losses } = encoded(request)
  expect(body.contents).toEqual(contents)
  expect(losses).toEqual([])
})

test.each([
  ['says that there was no error', { error: null }, false, '{"error":null}'],
  ['names an error', { error: 'No file.' }, true, 'No file.'],
  [
    'has more than an error',
    { error: 'No file.', tried: 2 },
    false,
    '{"error":"No file.","tried":2}',
  ],
])('a result that %s is read so', (_, response, isError, text) => {
  const [, , tool] = decoded({
    contents: loop([{ name: 'a', id: 'x' }], [{ name: 'a', id: 'x', response }]),
  }).turns
  expect(tool?.parts).toMatchObject([{ type: 'result', isError, parts: [{ text }] }])
})

test('a result tells its text, its files and whether it failed', () => {
  const tool = decoded(geminiCliLater()).turns.at(-1)
  expect(tool?.parts).toMatchObject([
    {
      type: 'result',
      isError: false,
      parts: [
        { type: 'text', text: 'Binary content provided.' },
        { type: 'media', kind: 'image', source: { type: 'base64', mediaType: 'image/png' } },
      ],
    },
    { type: 'result', isError: true, parts: [{ text: 'File not found: /b.png' }] },
  ])
  const loss = new Loss()
  completeResults(decoded(geminiCliLater()).turns, loss)
  expect(loss.entries).toEqual([])
})

test('large numbers in arguments keep all their digits', () => {
  const body = JSON.parse('{"contents":[]}') as Json
  body.contents = [{ role: 'model', parts: [{ functionCall: { name: 'a', args: { id: 1 } } }] }]
  expect(decoded(body).turns[0]?.parts[0]).toMatchObject({ arguments: '{"id":1}' })
})

test('results and words of one turn stand in two', () => {
  const [, , tool, user] = decoded({
    contents: [
      ...loop([{ name: 'a' }], []).slice(0, 2),
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'a', response: {} } }, { text: 'And?' }],
      },
    ],
  }).turns
  expect([tool?.role, user?.role]).toEqual(['tool', 'user'])
})

test('the mark of another vendor’s thoughts goes back to the thoughts it came with', () => {
  const state = { origin: 'messages', kind: 'signature', data: 'S', model: 'claude' } as const
  const marked = { functionCall: { name: 'a' }, thoughtSignature: markState(state) }
  const model = (...list: Json[]) =>
    decoded({ contents: [{ role: 'model', parts: list }] }).turns[0]?.parts
  expect(model({ text: 'Hm.', thought: true }, marked)).toMatchObject([
    { type: 'reasoning', sections: ['Hm.'], state },
    { type: 'call', name: 'a' },
  ])
  // Gemini CLI sends no thoughts back.
  expect(model(marked)).toMatchObject([
    { type: 'reasoning', sections: [], state },
    { type: 'call' },
  ])
  expect(model({ text: '', thought: true, thoughtSignature: markState(state) })).toMatchObject([
    { type: 'reasoning', state },
  ])
  expect(model({ functionCall: { name: 'a' }, thoughtSignature: 'own' })).toMatchObject([
    { type: 'call', state: { origin: 'generate-content', data: 'own' } },
  ])
})

test('Google’s schemas become JSON Schema, names of properties stay', () => {
  const parameters = {
    type: 'OBJECT',
    properties: {
      type: { type: 'STRING', format: 'enum', enum: ['a'], nullable: true },
      nullable: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '2' },
      either: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }], example: 1 },
    },
    required: ['type'],
  }
  const tools = [{ functionDeclarations: [{ name: 'f', parameters }] }]
  expect(ask({ tools }).tools[0]).toMatchObject({
    at: 'tools[0].functionDeclarations[0]',
    schema: {
      type: 'object',
      properties: {
        type: { type: ['string', 'null'], enum: ['a', null] },
        nullable: { type: 'array', items: { type: 'integer' }, minItems: 2 },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }], examples: [1] },
      },
      required: ['type'],
    },
  })
})

test.each<[Json, ExchangeRequest['toolChoice']]>([
  [{ mode: 'AUTO' }, { mode: 'auto' }],
  [{ mode: 'none' }, { mode: 'none' }],
  [{ mode: 'ANY' }, { mode: 'required' }],
  [
    { mode: 'ANY', allowedFunctionNames: ['a'] },
    { mode: 'one', name: 'a', kind: 'function' },
  ],
  [
    { mode: 'ANY', allowedFunctionNames: ['a', 'b'] },
    { mode: 'some', names: ['a', 'b'], isRequired: true },
  ],
  [
    { mode: 'AUTO', allowedFunctionNames: ['a'] },
    { mode: 'some', names: ['a'], isRequired: false },
  ],
  [{}, undefined],
])('the choice %j', (functionCallingConfig, toolChoice) => {
  expect(ask({ toolConfig: { functionCallingConfig } }).toolChoice).toEqual(toolChoice)
})

test.each<[Json, ExchangeRequest['reasoning']]>([
  [
    { thinkingLevel: 'HIGH', includeThoughts: true },
    { effort: 'high', isShown: true },
  ],
  [{ thinkingLevel: 'low' }, { effort: 'low' }],
  [{ thinkingLevel: 'XHIGH' }, { effort: 'xhigh' }],
  [{ thinkingBudget: -1 }, { budget: 'dynamic' }],
  [{ thinkingBudget: 0 }, { budget: 0, effort: 'none', mode: 'off' }],
  [{ thinkingBudget: '512' }, { budget: 512 }],
  [{}, undefined],
])('thinking of %j', (thinkingConfig, reasoning) => {
  expect(ask({ generationConfig: { thinkingConfig } }).reasoning).toEqual(reasoning)
})

test('what only Google has is lost by its name elsewhere', () => {
  const { native, turns } = ask({
    safetySettings: [],
    labels: {},
    generationConfig: { speechConfig: {}, temperature: 1 },
    systemInstruction: { role: 'user', parts: [{ text: 'x' }] },
  })
  const loss = new Loss(generateContentConversion.fieldNames)
  loss.native(native, 'chat')
  for (const turn of turns) loss.native(turn.native, 'chat', turn.at)
  expect(loss.entries.map(({ path }) => path)).toEqual([
    'safetySettings',
    'labels',
    'generationConfig.speechConfig',
  ])
})

test.each<[string, Json]>([
  ['cachedContent', { cachedContent: 'cachedContents/x' }],
  ['continuationToken', { continuationToken: 'x' }],
  ['generationConfig.responseMimeType', { generationConfig: { responseMimeType: 'text/x.enum' } }],
  ['generationConfig.responseModalities', { generationConfig: { responseModalities: ['AUDIO'] } }],
])('what only Google can give is refused elsewhere by its name: %s', (place, body) => {
  const loss = new Loss(generateContentConversion.fieldNames)
  expect(() => generateContentConversion.refuseForeign?.(ask(body), loss)).toThrow(place)
  expect(() => generateContentConversion.refuseForeign?.(ask({}), loss)).not.toThrow()
})

test('tokens are counted for contents or for a whole request', () => {
  const { count } = generateContentConversion
  const contents = [{ parts: [{ text: 'Hi' }] }]
  expect(count?.unwrapRequest({ contents })).toEqual({ contents })
  const whole = { model: 'models/x', contents }
  expect(count?.unwrapRequest({ generateContentRequest: whole })).toEqual(whole)
  expect(count?.unwrapRequest({ generate_content_request: whole })).toEqual(whole)
  expect(decoded(whole).model).toBe('x')
  expect(count?.wrapRequest({ contents }, 'x')).toEqual({ generateContentRequest: whole })
  expect(count?.decodeResponse({ totalTokens: 5 })).toBe(5)
  expect(count?.decodeResponse({})).toBeNull()
  expect(count?.encodeResponse(5)).toEqual({ totalTokens: 5 })
})

test('files are told by kind and place', () => {
  expect(
    parts(
      { fileData: { fileUri: 'https://youtu.be/x' } },
      { fileData: { fileUri: 'https://a.example/x.png?y' } },
      { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/x' } },
      { inlineData: { mimeType: 'text/plain', data: 'aGk' } },
      { inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: 'AA-_' } },
    ),
  ).toMatchObject([
    { kind: 'video', source: { type: 'url' } },
    { kind: 'image', source: { type: 'url', url: 'https://a.example/x.png?y' } },
    { kind: 'document', source: { type: 'file' } },
    { kind: 'document', source: { type: 'text', text: 'hi' } },
    { kind: 'audio', source: { mediaType: 'audio/l16;codec=pcm;rate=24000', data: 'AA+/' } },
  ])
})

test.each<[string, Json]>([
  ['contents: must', { contents: 'Hi' }],
  ['contents[0]: must', { contents: ['Hi'] }],
  ['contents[0].role', { contents: [{ role: 'assistant', parts: [] }] }],
  ['contents[0].parts[0]', { contents: [{ parts: ['Hi'] }] }],
  [
    'contents[0].parts[0].functionCall',
    { contents: [{ parts: [{ functionCall: { name: 'a' } }] }] },
  ],
  ['generationConfig.temperature', { generationConfig: { temperature: 'hot' } }],
  ['generationConfig: must', { generationConfig: [] }],
  ['generationConfig.responseModalities', { generationConfig: { responseModalities: ['VIDEO'] } }],
  ['tools[0].functionDeclarations[0].name', { tools: [{ functionDeclarations: [{}] }] }],
])('a body at fault is refused by the place: %s', (place, body) => {
  expect(() => ask(body)).toThrow(place)
})
