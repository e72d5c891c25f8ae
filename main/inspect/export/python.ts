import { googleParams } from './google-params.ts'
import type { PlainCall } from './plain-call.ts'
import { type Sdk, type SdkCall, sdkCall } from './sdk-call.ts'
import { pythonStyle, sourceLiteral } from './source-literal.ts'

const literal = (value: unknown, depth = 0) => sourceLiteral(value, pythonStyle, depth)
const isEmpty = (value: object) => Object.keys(value).length === 0

const KEY = 'os.environ["SWITCHYARD_TOKEN"]'

const clients: Readonly<Record<Sdk, (call: SdkCall) => string[]>> = {
  openai: ({ baseUrl, method, isStream }) => [
    '# pip install openai',
    'import os',
    '',
    `from openai import OpenAI${!method && isStream ? ', Stream' : ''}`,
    '',
    `client = OpenAI(api_key=${KEY}, base_url=${literal(baseUrl)})`,
  ],
  anthropic: ({ baseUrl }) => [
    '# pip install anthropic',
    'import os',
    '',
    'from anthropic import Anthropic',
    '',
    // Without a time limit the SDK refuses long answers that are not streamed.
    `client = Anthropic(api_key=${KEY}, base_url=${literal(baseUrl)}, timeout=600)`,
  ],
  google: ({ baseUrl, path }) => [
    '# pip install google-genai',
    'import os',
    '',
    'from google import genai',
    '',
    'client = genai.Client(',
    `    api_key=${KEY},`,
    `    http_options={"base_url": ${literal(baseUrl)}, "api_version": ${literal(path.split('/')[1])}},`,
    ')',
  ],
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)

/** `extra_headers`, `extra_query` and `extra_body`, as far as there are any. */
const extras = (call: SdkCall, body: Record<string, unknown>): [string, unknown][] =>
  [
    ['extra_headers', call.headers] as [string, object],
    ['extra_query', call.query] as [string, object],
    ['extra_body', body] as [string, object],
  ].filter(([, value]) => !isEmpty(value as object))

function googleArguments({ path, body, headers }: SdkCall): [string, unknown][] {
  const { contents, config, rest } = googleParams(body)
  const options = {
    ...(isEmpty(headers) ? {} : { headers }),
    ...(isEmpty(rest) ? {} : { extra_body: rest }),
  }
  const whole = {
    ...Object.fromEntries(Object.entries(config).map(([name, value]) => [snake(name), value])),
    ...(isEmpty(options) ? {} : { http_options: options }),
  }
  return [
    ['model', decodeURIComponent(/models\/([^/:]+):/.exec(path)?.[1] ?? '')],
    ['contents', contents ?? '-'],
    ...(isEmpty(whole) ? [] : [['config', whole] as [string, unknown]]),
  ]
}

function argumentsOf(call: SdkCall): [string, unknown][] {
  const { method, body } = call
  if (call.sdk === 'google') return googleArguments(call)
  if (!method) return [['body', body]]
  const known = new Set([...method.required, ...method.named])
  const entries = Object.entries(body)
  const others = Object.fromEntries(entries.filter(([name]) => !known.has(name)))
  return [...entries.filter(([name]) => known.has(name)), ...extras(call, others)]
}

/** The rest of a call to a path that the SDK has no method for. */
function postOptions({ path, headers, query, isStream }: SdkCall): string[] {
  const options = {
    ...(isEmpty(headers) ? {} : { headers }),
    ...(isEmpty(query) ? {} : { params: query }),
  }
  return [
    `    ${literal(path)},`,
    '    cast_to=object,',
    ...(isEmpty(options) ? [] : [`    options=${literal(options, 1)},`]),
    ...(isStream ? ['    stream=True,', '    stream_cls=Stream[object],'] : []),
  ]
}

/** A call as a Python script over the official SDK of its wire format. */
export function python(plain: PlainCall): string {
  const call = sdkCall(plain)
  const { method, sdk, isStream } = call
  const shown = (name: string) => {
    if (!method) return name
    return sdk === 'google' ? `${name}.model_dump_json(exclude_none=True)` : `${name}.to_json()`
  }
  const isBeside = sdk === 'google' && googleParams(call.body).contents === null
  return [
    ...clients[sdk](call),
    '',
    ...(isBeside
      ? ['# The SDK would change the contents: extra_body carries them as they are.']
      : []),
    `answer = client.${method?.python ?? 'post'}(`,
    ...(method ? [] : postOptions(call)),
    ...argumentsOf(call).map(([name, value]) => `    ${name}=${literal(value, 1)},`),
    ')',
    ...(isStream
      ? ['for event in answer:', `    print(${shown('event')})`]
      : [`print(${shown('answer')})`]),
    '',
  ].join('\n')
}
