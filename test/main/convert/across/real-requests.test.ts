import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { CallFormat } from '../../../../main/convert/call-format.ts'
import { bodyFormat } from '../../../../main/convert/check/body-format.ts'
import { checkToolKeys } from '../../../../main/convert/check/guarded-keys.ts'
import {
  helperModels,
  namedModels,
  openChoice,
} from '../../../../main/convert/check/named-models.ts'
import { codecOf } from '../../../../main/convert/codecs.ts'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import {
  claudeCodeFirst,
  claudeCodeLater,
  claudeCodeTitle,
} from '../../../support/agent-requests/claude-code.ts'
import { codexFirst, codexLater, codexSchema } from '../../../support/agent-requests/codex.ts'
import {
  geminiCliFirst,
  geminiCliLater,
  geminiCliSchema,
} from '../../../support/agent-requests/gemini-cli.ts'
import { openCodeFirst, openCodeLater } from '../../../support/agent-requests/opencode.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'

/** Reads a request as the gateway does before it is relayed; throws what the client would be told. */
function readRequest(format: CallFormat, bytes: Buffer): JsonFields {
  const body = new JsonFields(bytes)
  const codec = codecOf(bodyFormat(format, body))
  codec.guard.check(body)
  codec.checkRequest(body, { 'anthropic-version': '2023-06-01' })
  checkToolKeys(body)
  return body
}

const bytesOf = (value: object): Buffer => Buffer.from(JSON.stringify(value))
const model = 'm'
const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

const agents: [string, CallFormat, object][] = [
  ['Claude Code first', 'messages', claudeCodeFirst(model)],
  ['Claude Code later', 'messages', claudeCodeLater(model)],
  ['Claude Code title', 'messages', claudeCodeTitle(model)],
  ['Codex first', 'responses', codexFirst(model)],
  ['Codex later', 'responses', codexLater(model)],
  ['Codex schema', 'responses', codexSchema(model)],
  ['Gemini CLI first', 'generate-content', geminiCliFirst()],
  ['Gemini CLI later', 'generate-content', geminiCliLater()],
  ['Gemini CLI schema', 'generate-content', geminiCliSchema()],
  ['opencode first', 'chat', openCodeFirst(model)],
  ['opencode later', 'chat', openCodeLater(model)],
]

/** Fields that clients add for the services behind a channel, as their documents spell them. */
const added: [string, CallFormat, object][] = [
  [
    'OpenRouter',
    'chat',
    {
      provider: { order: ['a'], allow_fallbacks: false, sort: 'price', max_price: { prompt: 1 } },
      route: 'fallback',
      transforms: ['middle-out'],
      usage: { include: true },
      plugins: [{ id: 'web', max_results: 3 }],
      reasoning: { max_tokens: 2000, exclude: true },
      include_reasoning: true,
    },
  ],
  [
    'Vercel AI Gateway',
    'chat',
    {
      providerOptions: { gateway: { order: ['a'], only: ['b'] }, openai: { serviceTier: 'flex' } },
    },
  ],
  [
    'LiteLLM',
    'chat',
    { num_retries: 2, metadata: { tags: ['a'] }, litellm_metadata: {}, drop_params: true },
  ],
  [
    'vLLM',
    'chat',
    {
      guided_json: { type: 'object' },
      min_tokens: 1,
      use_beam_search: false,
      top_k: 4,
      chat_template_kwargs: { enable_thinking: false },
      truncate_prompt_tokens: 10,
    },
  ],
  ['llama.cpp', 'chat', { n_predict: 10, cache_prompt: true, n_probs: 1 }],
  [
    'Google over Chat',
    'chat',
    { extra_body: { google: { thinking_config: { thinkingBudget: 1 }, cached_content: 'c' } } },
  ],
  ['Azure', 'chat', { data_sources: [{ type: 'azure_search', parameters: {} }] }],
  ['Qwen', 'chat', { enable_thinking: true, thinking_budget: 10, incremental_output: true }],
  [
    'Perplexity',
    'chat',
    { search_mode: 'web', web_search_options: { search_context_size: 'low' } },
  ],
  [
    'Anthropic’s betas',
    'messages',
    {
      max_tokens: 10,
      betas: ['a'],
      context_management: { edits: [] },
      mcp_servers: [],
      container: 'c',
      output_config: { effort: 'low' },
      service_tier: 'auto',
      speed: 'fast',
    },
  ],
  [
    'Bedrock over Messages',
    'messages',
    { max_tokens: 10, anthropic_version: 'bedrock-2023-05-31', anthropic_beta: ['a'] },
  ],
  [
    'Responses’ later fields',
    'responses',
    {
      input: 'hi',
      safety_identifier: 'a',
      prompt_cache_key: 'b',
      prompt_cache_retention: '24h',
      stream_options: { include_obfuscation: false },
      max_tool_calls: 3,
      metadata: { Model: 'm' },
    },
  ],
  [
    'Gemini’s later fields',
    'generate-content',
    {
      contents,
      systemInstruction: { parts: [{ text: 'a' }] },
      generationConfig: { maxOutputTokens: 5, thinkingConfig: { thinkingLevel: 'low' } },
      labels: { model: 'm' },
      toolConfig: {},
    },
  ],
]

const folders: Readonly<Record<string, CallFormat>> = {
  'anthropic-messages': 'messages',
  gemini: 'generate-content',
  'openai-chat': 'chat',
  'openai-embeddings': 'embeddings',
  'openai-responses': 'responses',
}
const root = new URL('../../../fixtures/', import.meta.url)
const recorded = Object.entries(folders).flatMap(([folder, format]) =>
  readdirSync(new URL(folder, root))
    .filter((file) => file.endsWith('.request.json') && !file.startsWith('count-tokens'))
    .map((file): [string, CallFormat] => [`${folder}/${file}`, format]),
)

describe('what real clients send is taken', () => {
  test.each(agents)('%s', (_, format, body) => {
    const read = readRequest(format, bytesOf(body))
    expect([...namedModels(read), ...helperModels(read), openChoice(read)]).toEqual([undefined])
  })

  test.each(recorded)('%s', (name, format) => {
    readRequest(format, readFixture(name))
  })

  test.each(added)('with the fields of %s', (_, format, fields) => {
    const frame = format === 'chat' || format === 'messages' ? { model, messages } : { model }
    const body = format === 'generate-content' ? fields : { ...frame, ...fields }
    expect(namedModels(readRequest(format, bytesOf(body)))).toEqual([])
  })

  test.each([
    [{ models: ['b'], route: 'fallback' }, ['models[0]']],
    [{ providerOptions: { gateway: { models: ['b'] } } }, ['providerOptions.gateway.models[0]']],
    [{ fallbacks: ['b', { model: 'c' }] }, ['fallbacks[0]', 'fallbacks[1].model']],
    [{ fallbacks: [{ m: ['b'] }] }, ['fallbacks[0].m[0]']],
  ])('with further models, where it is known which: %j', (fields, at) => {
    const named = namedModels(readRequest('chat', bytesOf({ model, messages, ...fields })))
    expect(named.map((one) => one.at)).toEqual(at)
  })
})
