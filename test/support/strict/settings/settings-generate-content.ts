import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { Json } from '../requests/refusal.ts'
import { PNG } from '../requests/refused-by.ts'
import { pdf, richSchema } from './settings-parts.ts'

const googleHi = { role: 'user', parts: [{ text: 'Hi' }] }
const functions = [{ name: 'get', parametersJsonSchema: richSchema }, { name: 'put' }]

/** Settings that such a client may send with a plain question; no upstream has to refuse any of them. */
export const googleSettings: readonly [string, WireFormat, Json][] = [
  [
    'all sampling',
    'generate-content',
    {
      generationConfig: {
        temperature: 1.5,
        topP: 0.5,
        topK: 3,
        seed: 2,
        presencePenalty: 0.5,
        frequencyPenalty: 0.5,
        stopSequences: ['a', 'b', 'c', 'd', 'e'],
        maxOutputTokens: 10,
        candidateCount: 1,
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
      },
    },
  ],
  ...[0, -1, 1024, 24_000].map((thinkingBudget): [string, WireFormat, Json] => [
    `budget ${thinkingBudget}`,
    'generate-content',
    { generationConfig: { thinkingConfig: { thinkingBudget } } },
  ]),
  ...['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'].map((thinkingLevel): [string, WireFormat, Json] => [
    `level ${thinkingLevel}`,
    'generate-content',
    { generationConfig: { thinkingConfig: { thinkingLevel, includeThoughts: true } } },
  ]),
  [
    'Google’s own schema',
    'generate-content',
    {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: {
          type: 'OBJECT',
          properties: {
            a: { type: 'STRING', nullable: true, enum: ['x', 'y'] },
            b: { type: 'ARRAY', items: { type: 'INTEGER' } },
          },
          required: ['a'],
          propertyOrdering: ['a', 'b'],
        },
      },
    },
  ],
  [
    'JSON alone',
    'generate-content',
    { generationConfig: { responseMimeType: 'application/json' } },
  ],
  [
    'a forced tool',
    'generate-content',
    {
      tools: [{ functionDeclarations: functions }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get'] } },
    },
  ],
  [
    'no tool now',
    'generate-content',
    {
      tools: [{ functionDeclarations: functions }],
      toolConfig: { functionCallingConfig: { mode: 'NONE' } },
    },
  ],
  [
    'tools of the vendor',
    'generate-content',
    { tools: [{ googleSearch: {} }, { urlContext: {} }, { codeExecution: {} }] },
  ],
  [
    'names with underscores',
    'generate-content',
    {
      system_instruction: { parts: [{ text: 'x' }] },
      generation_config: { max_output_tokens: 50, thinking_config: { include_thoughts: true } },
      tools: [
        {
          function_declarations: [
            { name: 'get', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } },
          ],
        },
      ],
      contents: [
        {
          role: 'user',
          parts: [{ text: 'a' }, { inline_data: { mime_type: 'image/png', data: PNG } }],
        },
      ],
    },
  ],
  [
    'code in the history',
    'generate-content',
    {
      contents: [
        googleHi,
        {
          role: 'model',
          parts: [
            { executableCode: { language: 'PYTHON', code: 'print(1)' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
            { text: 'One.' },
          ],
        },
        googleHi,
      ],
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      labels: { a: 'b' },
    },
  ],
  [
    'roles of old',
    'generate-content',
    {
      contents: [
        { parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'get', args: {} } }] },
        { role: 'function', parts: [{ functionResponse: { name: 'get', response: { a: 1 } } }] },
      ],
      tools: [{ functionDeclarations: functions }],
    },
  ],
  [
    'a PDF',
    'generate-content',
    {
      contents: [
        {
          role: 'user',
          parts: [{ text: 'x' }, { inlineData: { mimeType: 'application/pdf', data: pdf } }],
        },
      ],
    },
  ],
]
