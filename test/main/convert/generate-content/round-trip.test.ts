import { expect, test } from 'vitest'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import {
  geminiCliFirst,
  geminiCliLater,
  geminiCliSchema,
} from '../../../support/agent-requests/gemini-cli.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { readFixture, recordedStreams } from '../../../support/recordings/fixtures.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import {
  asJson,
  chunksOf,
  decoded,
  encoded,
  eventsIn,
  gemini25,
  partsOf,
  target,
  wiresOf,
} from './wire-ways.ts'

const readJson = (name: string) => JSON.parse(String(readFixture(`gemini/${name}`))) as Json

/** REST takes both spellings of a field; the way back has one. */
const inCamelCase = (body: Json): Json =>
  JSON.parse(
    JSON.stringify(body).replaceAll('"parameters_json_schema"', '"parametersJsonSchema"'),
  ) as Json

test.each<[string, Json]>([
  ['count-tokens', readJson('count-tokens.request.json')],
  ['empty-on-max-tokens', readJson('empty-on-max-tokens.request.json')],
  ['json-schema', readJson('json-schema.request.json')],
  ['thought-signature-turn1', readJson('thought-signature-turn1.request.json')],
  ['thought-signature-turn2', readJson('thought-signature-turn2.request.json')],
  ['Gemini CLI, first call', geminiCliFirst()],
  ['Gemini CLI, a later call', geminiCliLater()],
  ['Gemini CLI, JSON', geminiCliSchema()],
  [
    'everything that only Google has',
    {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'Look.', partMetadata: { from: 'app' } },
            {
              fileData: { fileUri: 'https://youtu.be/x', mimeType: 'video/mp4' },
              videoMetadata: { startOffset: '1s' },
            },
            { fileData: { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' } },
            {
              inlineData: { mimeType: 'text/csv', data: 'YSxi', displayName: 'a.csv' },
              mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
            },
          ],
        },
        {
          role: 'model',
          parts: [
            { executableCode: { language: 'PYTHON', code: '1+1' }, thoughtSignature: 'AAAA' },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
            { toolCall: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['x'] } } },
            { toolResponse: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
            { text: 'Hm', thought: true, thoughtSignature: 'BBBB' },
            { functionCall: { name: 'a', args: { n: 1 } }, thoughtSignature: 'CCCC' },
            { functionCall: { name: 'a', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'a',
                response: { output: '{"x":1}' },
                scheduling: 'SILENT',
              },
            },
            { functionResponse: { name: 'a', response: { output: 5 } } },
            { text: 'Go on.' },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'a',
              parameters: { type: 'OBJECT', properties: { n: { type: 'NUMBER', nullable: true } } },
              response: { type: 'STRING' },
            },
          ],
        },
        { googleSearch: { excludeDomains: ['x.com'] } },
        { codeExecution: {} },
      ],
      toolConfig: {
        functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a'] },
        retrievalConfig: { languageCode: 'de' },
      },
      generationConfig: {
        temperature: 2,
        topK: 4,
        candidateCount: 2,
        maxOutputTokens: 100,
        stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'],
        responseMimeType: 'application/json',
        responseSchema: { type: 'ARRAY', items: { type: 'STRING' }, minItems: '1' },
        responseModalities: ['TEXT', 'IMAGE'],
        thinkingConfig: { thinkingBudget: 0, includeThoughts: false },
        seed: 3,
        presencePenalty: 0.5,
        responseLogprobs: true,
        logprobs: 3,
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
        speechConfig: { languageCode: 'de-DE' },
        imageConfig: { aspectRatio: '1:1' },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      cachedContent: 'cachedContents/abc',
      continuationToken: 'token',
      labels: { team: 'a' },
      serviceTier: 'flex',
      store: false,
    },
  ],
])('a request keeps all it says on the way through its own format: %s', (_, body) => {
  const { body: again, losses } = encoded(decoded(body), gemini25)
  expect(again).toEqual(inCamelCase(body))
  expect(losses).toEqual([])
})

test('keys in snake_case mean the same as in camelCase, a user’s own keys stay', () => {
  const snake = {
    system_instruction: { parts: [{ text: 'x' }] },
    contents: [
      { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
      { role: 'model', parts: [{ function_call: { name: 'a', args: { my_key: 1 } } }] },
      { role: 'user', parts: [{ function_response: { name: 'a', response: { my_key: 2 } } }] },
    ],
    tools: [{ function_declarations: [{ name: 'a', description: 'b' }] }],
    tool_config: { function_calling_config: { mode: 'any', allowed_function_names: ['a'] } },
    generation_config: { max_output_tokens: 5, thinking_config: { thinking_budget: 1 } },
  }
  expect(encoded(decoded(snake)).body).toEqual({
    systemInstruction: { parts: [{ text: 'x' }] },
    contents: [
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      // Without a signature Gemini 3 wants its documented stand-in.
      {
        role: 'model',
        parts: [
          {
            functionCall: { name: 'a', args: { my_key: 1 } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'a', response: { my_key: 2 } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'a', description: 'b' }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } },
    generationConfig: { maxOutputTokens: 5, thinkingConfig: { thinkingBudget: 1 } },
  })
})

test('field names that would reach into other objects stay names', () => {
  const body = JSON.parse(
    '{"contents":[{"parts":[{"text":"x"}]}],"__proto__.polluted":1,"generationConfig":{"__proto__":{"a":1}}}',
  ) as Json
  encoded(decoded(body))
  expect(({} as Json).polluted).toBeUndefined()
  expect(({} as Json).a).toBeUndefined()
})

test.each([
  'json-schema.response.json',
  'empty-on-max-tokens.response.json',
  'tool-call-gemini3.json',
])('an answer keeps all it says on the way through its own format: %s', (name) => {
  const body = readJson(name)
  const response = generateContentConversion.decodeResponse(body)
  const { responseId: id, modelVersion: model } = body as {
    responseId: string
    modelVersion: string
  }
  const again = generateContentConversion.encodeResponse(response, target({ id, model }))
  expect(asJson(again)).toEqual(body)
})

test('a blocked prompt and sources keep all they say', () => {
  const blocked = {
    promptFeedback: { blockReason: 'SAFETY', safetyRatings: [] },
    usageMetadata: { promptTokenCount: 4, totalTokenCount: 4, trafficType: 'ON_DEMAND' },
    modelVersion: 'm',
    responseId: 'i',
  }
  const grounded = {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ text: 'Yes.' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
        },
        finishReason: 'STOP',
        groundingMetadata: {
          webSearchQueries: ['q'],
          groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
          groundingSupports: [
            { segment: { endIndex: 4, text: 'Yes.' }, groundingChunkIndices: [0] },
          ],
        },
        safetyRatings: [{ category: 'x', probability: 'LOW' }],
      },
    ],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1, totalTokenCount: 5 },
    modelVersion: 'm',
    responseId: 'i',
    createTime: '2026-11-21T10:00:00Z',
  }
  for (const body of [blocked, grounded]) {
    const response = generateContentConversion.decodeResponse(body)
    const again = generateContentConversion.encodeResponse(
      response,
      target({ id: 'i', model: 'm' }),
    )
    expect(asJson(again)).toEqual(body)
  }
})

const streams = recordedStreams.filter(({ format }) => format === 'generate-content')

/** The content of a stream, whatever its chunks: words joined, calls whole, signatures in their place. */
function told(chunks: readonly Json[]) {
  const out: Json[] = []
  for (const { text, thought, thoughtSignature, functionCall } of wiresOf(chunks)) {
    const last = out.at(-1)
    const isMore =
      typeof text === 'string' && typeof last?.text === 'string' && last.thought === thought
    if (isMore) {
      last.text += text
      if (thoughtSignature) last.thoughtSignature = thoughtSignature
    } else if (text !== '' || thoughtSignature) {
      out.push({ text, thought, thoughtSignature, functionCall })
    }
  }
  const end = chunks.at(-1) as Json
  const last = (end.candidates as Json[])[0]
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount } = end.usageMetadata as Json
  return {
    out,
    finish: last?.finishReason,
    promptTokenCount,
    candidatesTokenCount,
    thoughtsTokenCount,
  }
}

test.each(streams.filter(({ name }) => !name.includes('partial-args')))(
  'a stream tells the same on the way through its own format: $name',
  ({ bytes }) => {
    const events = eventsIn([bytes])
    const original = events.map(({ data }) => JSON.parse(data) as Json)
    expect(told(chunksOf(partsOf(events)))).toEqual(told(original))
  },
)

test.each(streams)('a stream gives the same however its bytes are cut: $name', ({ bytes }) => {
  const whole = partsOf(eventsIn([bytes]))
  expect(whole.at(-1)).toEqual({ type: 'response-end' })
  for (let seed = 0; seed < 30; seed++) {
    expect(partsOf(eventsIn(cutAtRandom(bytes, seed, seed === 0 ? 1 : 64)))).toEqual(whole)
  }
})

test.each(streams)('every block has one start and one end: $name', ({ bytes }) => {
  const open = new Set<number>()
  let next = 0
  for (const part of partsOf(eventsIn([bytes]))) {
    if (part.type.endsWith('-start') && 'block' in part) {
      expect(part.block).toBe(next++)
      open.add(part.block)
    }
    if (part.type.endsWith('-end') && 'block' in part) expect(open.delete(part.block)).toBe(true)
    if (part.type === 'stop') expect(open.size).toBe(0)
  }
  expect(next).toBeGreaterThan(0)
  expect(open.size).toBe(0)
})

test('arguments in pieces come together', () => {
  const { bytes } = streams.find(({ name }) => name.includes('partial-args')) as { bytes: Buffer }
  const collected = collectStream()
  for (const part of partsOf(eventsIn([bytes]))) collected.push(part)
  const { choices, usage } = collected.response()
  const calls = choices[0]?.parts.flatMap((part) => (part.type === 'call' ? [part] : []))
  expect(calls?.map(({ name, arguments: text }) => [name, JSON.parse(text)])).toEqual([
    ['getWeather', { location: 'Boston' }],
    ['getWeather', { location: 'San Francisco' }],
  ])
  expect(calls?.[0]?.state?.data).toMatch(/^CiMBjz1r/)
  expect(calls?.[1]?.state).toBeUndefined()
  expect(choices[0]?.stop.reason).toBe('tool-calls')
  expect(usage).toMatchObject({ input: 26, output: 155, reasoning: 132 })
})
