import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { formats } from '../../../support/strict/loops/stage.ts'
import { pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

const asked: Readonly<Record<WireFormat, Json>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model: 'm', input: 'Hi' },
  messages: { model: 'm', max_tokens: 4000, messages: [{ role: 'user', content: 'Hi' }] },
  'generate-content': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}

const values = {
  text: 'odd',
  number: 7,
  switch: true,
  object: { odd: 1 },
  list: [{ odd: 1 }],
} as const

type Kind = keyof typeof values

/** Fields of each format by the kinds of value that they take. */
const fields: Readonly<Record<WireFormat, Readonly<Record<string, readonly Kind[]>>>> = {
  chat: {
    stream: ['switch'],
    stream_options: ['object'],
    'stream_options.include_usage': ['switch'],
    tools: [],
    functions: [],
    tool_choice: [],
    function_call: [],
    web_search_options: ['object'],
    parallel_tool_calls: ['switch'],
    response_format: [],
    max_tokens: ['number'],
    max_completion_tokens: ['number'],
    temperature: ['number'],
    top_p: ['number'],
    top_k: ['number'],
    stop: ['text'],
    n: ['number'],
    seed: ['number'],
    presence_penalty: ['number'],
    frequency_penalty: ['number'],
    logit_bias: ['object'],
    logprobs: ['switch'],
    top_logprobs: ['number'],
    verbosity: ['text'],
    service_tier: ['text'],
    modalities: [],
    user: ['text'],
    safety_identifier: ['text'],
    metadata: ['object'],
    prompt_cache_key: ['text'],
    store: ['switch'],
    reasoning_effort: [],
    reasoning: ['object'],
    'reasoning.effort': [],
    'reasoning.enabled': ['switch'],
    'reasoning.exclude': ['switch'],
    'reasoning.max_tokens': ['number'],
    include_reasoning: ['switch'],
    thinking: ['object'],
    'thinking.type': [],
    'thinking.budget_tokens': ['number'],
    enable_thinking: ['switch'],
    thinking_budget: ['number'],
  },
  responses: {
    instructions: ['text'],
    stream: ['switch'],
    tools: [],
    tool_choice: [],
    parallel_tool_calls: ['switch'],
    reasoning: ['object'],
    'reasoning.effort': [],
    'reasoning.summary': ['text'],
    'reasoning.generate_summary': ['text'],
    text: ['object'],
    'text.verbosity': ['text'],
    'text.format': ['object'],
    include: ['list'],
    max_output_tokens: ['number'],
    temperature: ['number'],
    top_p: ['number'],
    top_logprobs: ['number'],
    metadata: ['object'],
    safety_identifier: ['text'],
    user: ['text'],
    prompt_cache_key: ['text'],
    service_tier: ['text'],
    store: ['switch'],
    previous_response_id: ['text'],
  },
  messages: {
    system: ['text', 'list'],
    stream: ['switch'],
    tools: [],
    tool_choice: [],
    thinking: ['object'],
    'thinking.type': [],
    'thinking.budget_tokens': ['number'],
    'thinking.display': [],
    output_config: ['object'],
    'output_config.effort': [],
    'output_config.format': ['object'],
    output_format: ['object'],
    max_tokens: ['number'],
    temperature: ['number'],
    top_p: ['number'],
    top_k: ['number'],
    stop_sequences: [],
    service_tier: ['text'],
    speed: ['text'],
    metadata: ['object'],
    'metadata.user_id': ['text'],
  },
  'generate-content': {
    systemInstruction: ['text', 'object'],
    tools: ['object'],
    toolConfig: ['object'],
    'toolConfig.functionCallingConfig': ['object'],
    'toolConfig.functionCallingConfig.mode': [],
    serviceTier: ['text'],
    store: ['switch'],
    generationConfig: ['object'],
    'generationConfig.temperature': ['number'],
    'generationConfig.topP': ['number'],
    'generationConfig.topK': ['number'],
    'generationConfig.candidateCount': ['number'],
    'generationConfig.maxOutputTokens': ['number'],
    'generationConfig.seed': ['number'],
    'generationConfig.presencePenalty': ['number'],
    'generationConfig.frequencyPenalty': ['number'],
    'generationConfig.stopSequences': [],
    'generationConfig.responseMimeType': [],
    'generationConfig.responseJsonSchema': ['object'],
    'generationConfig.responseSchema': ['object'],
    'generationConfig.responseModalities': [],
    'generationConfig.responseLogprobs': ['switch'],
    'generationConfig.thinkingConfig': ['object'],
    'generationConfig.thinkingConfig.thinkingBudget': ['number'],
    'generationConfig.thinkingConfig.thinkingLevel': [],
    'generationConfig.thinkingConfig.includeThoughts': ['switch'],
  },
}

const nested = (path: string, value: unknown): Json =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Json

/** The body for the upstream and the losses; the refusal where there is one. */
function outcome(from: WireFormat, to: WireFormat, sent: Json): string {
  try {
    const { body, losses } = pass(from, to, { ...asked[from], ...sent })
    return JSON.stringify([body, losses])
  } catch (error) {
    if (error instanceof GatewayError) return `refused: ${error.message}`
    throw error
  }
}

/** The parent of a path; '' for a field of the body. */
const holderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))

describe.each(formats)('%s: a value of the wrong type is refused, kept or noted', (from) => {
  test.each(Object.entries(fields[from]))('%s', (path, taken) => {
    const holder = holderOf(path)
    const wrong = (Object.keys(values) as Kind[]).filter((kind) => !taken.includes(kind))
    const silent = formats.flatMap((to) => {
      const without = outcome(from, to, holder === '' ? {} : nested(holder, {}))
      return wrong
        .filter((kind) => outcome(from, to, nested(path, values[kind])) === without)
        .map((kind) => `${kind} to ${to}`)
    })
    expect(silent).toEqual([])
  })
})
