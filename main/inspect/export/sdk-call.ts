import { GatewayError } from '../../base/errors.ts'
import { parseExact } from '../../convert/json/exact-json.ts'
import { asObject } from '../../convert/json/json-value.ts'
import type { PlainCall } from './plain-call.ts'

export type Sdk = 'openai' | 'anthropic' | 'google'

/** A method of a vendor's SDK, by the path that it calls. */
interface SdkMethod {
  path: RegExp
  sdk: Sdk
  typescript: string
  python: string
  /** Fields that Python's method must be given. */
  required: readonly string[]
  /** Others that it takes by name; the rest goes into `extra_body`. */
  named: readonly string[]
}

const sampling = ['temperature', 'top_p']
const openaiCommon = [
  ...['metadata', 'parallel_tool_calls', 'prompt_cache_key', 'safety_identifier', 'service_tier'],
  ...['store', 'stream', 'tool_choice', 'tools', 'top_logprobs', 'user', ...sampling],
]
const anthropicCommon = ['system', 'thinking', 'tool_choice', 'tools']

/** Methods whose TypeScript sends what it is given as it is. */
const methods: readonly SdkMethod[] = [
  {
    path: /^\/v1\/chat\/completions$/,
    sdk: 'openai',
    typescript: 'chat.completions.create',
    python: 'chat.completions.create',
    required: ['model', 'messages'],
    named: [
      ...openaiCommon,
      ...['frequency_penalty', 'logit_bias', 'logprobs', 'max_completion_tokens', 'max_tokens'],
      ...['modalities', 'n', 'presence_penalty', 'reasoning_effort', 'response_format', 'seed'],
      ...['stop', 'stream_options', 'verbosity'],
    ],
  },
  {
    path: /^\/v1\/responses$/,
    sdk: 'openai',
    typescript: 'responses.create',
    python: 'responses.create',
    required: ['model', 'input'],
    named: [
      ...openaiCommon,
      ...['include', 'instructions', 'max_output_tokens', 'max_tool_calls'],
      ...['previous_response_id', 'reasoning', 'text', 'truncation'],
    ],
  },
  {
    path: /^\/v1\/completions$/,
    sdk: 'openai',
    typescript: 'completions.create',
    python: 'completions.create',
    required: ['model', 'prompt'],
    named: [
      ...['echo', 'frequency_penalty', 'logprobs', 'max_tokens', 'n', 'presence_penalty'],
      ...['seed', 'stop', 'stream', 'stream_options', 'suffix', 'user', ...sampling],
    ],
  },
  {
    path: /^\/v1\/messages$/,
    sdk: 'anthropic',
    typescript: 'messages.create',
    python: 'messages.create',
    required: ['model', 'max_tokens', 'messages'],
    named: [...anthropicCommon, ...['metadata', 'service_tier', 'stop_sequences', 'stream']],
  },
  {
    path: /^\/v1\/messages\/count_tokens$/,
    sdk: 'anthropic',
    typescript: 'messages.countTokens',
    python: 'messages.count_tokens',
    required: ['model', 'messages'],
    named: anthropicCommon,
  },
  {
    path: /^\/v1(?:beta)?\/models\/[^/:]+:generateContent$/,
    sdk: 'google',
    typescript: 'models.generateContent',
    python: 'models.generate_content',
    required: ['contents'],
    named: [],
  },
  {
    path: /^\/v1(?:beta)?\/models\/[^/:]+:streamGenerateContent$/,
    sdk: 'google',
    typescript: 'models.generateContentStream',
    python: 'models.generate_content_stream',
    required: ['contents'],
    named: [],
  },
]

/** Headers that each SDK sends of its own. */
const ofSdk =
  /^(?:accept|accept-language|user-agent|content-type|anthropic-version|x-goog-api-client|x-stainless-.*)$/

/** A call as an SDK makes it. */
export interface SdkCall {
  sdk: Sdk
  /** Null where OpenAI's SDK posts to the path itself. */
  method: SdkMethod | null
  baseUrl: string
  /** Behind `baseUrl`. */
  path: string
  body: Record<string, unknown>
  isStream: boolean
  headers: Record<string, string>
  query: Record<string, string>
}

const V1 = '/v1'

/** The SDK's call that sends the same; `conflict` for a body that is no JSON object. */
export function sdkCall(call: PlainCall): SdkCall {
  const body = call.isJson ? asObject(parseExact(call.body.replace(/^\ufeff/, ''))) : undefined
  if (!body || call.method !== 'POST') {
    throw new GatewayError('conflict', {
      message: 'The vendors’ SDKs send JSON objects by POST alone. Copy this call as cURL.',
      reason: { code: 'sdk_json_only' },
    })
  }
  const found = methods.find(({ path }) => path.test(call.path))
  const method = found?.required.every((name) => body[name] !== undefined) ? found : null
  const sdk = method?.sdk ?? 'openai'
  const isUnderV1 = sdk === 'openai' && call.path.startsWith(`${V1}/`)
  const query = new URLSearchParams(call.query)
  if (sdk === 'google') query.delete('alt')
  return {
    sdk,
    method,
    baseUrl: isUnderV1 ? call.baseUrl + V1 : call.baseUrl,
    path: isUnderV1 ? call.path.slice(V1.length) : call.path,
    body,
    isStream: body.stream === true || call.path.endsWith(':streamGenerateContent'),
    headers: Object.fromEntries(
      call.headers
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => !ofSdk.test(name)),
    ),
    query: Object.fromEntries(query),
  }
}
