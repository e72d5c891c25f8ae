import { googleParams } from './google-params.ts'
import type { PlainCall } from './plain-call.ts'
import { type Sdk, type SdkCall, sdkCall } from './sdk-call.ts'
import { sourceLiteral, typescriptStyle } from './source-literal.ts'

const literal = (value: unknown, depth = 0) => sourceLiteral(value, typescriptStyle, depth)
const isEmpty = (value: object) => Object.keys(value).length === 0

const KEY = 'process.env.SWITCHYARD_TOKEN'

const clients: Readonly<Record<Sdk, (baseUrl: string, path: string) => string[]>> = {
  openai: (baseUrl) => [
    '// npm install openai',
    "import OpenAI from 'openai'",
    '',
    `const client = new OpenAI({ apiKey: ${KEY}, baseURL: ${literal(baseUrl)} })`,
  ],
  anthropic: (baseUrl) => [
    '// npm install @anthropic-ai/sdk',
    "import Anthropic from '@anthropic-ai/sdk'",
    '',
    'const client = new Anthropic({',
    `  apiKey: ${KEY},`,
    `  baseURL: ${literal(baseUrl)},`,
    // Without it the SDK refuses long answers that are not streamed.
    '  timeout: 600_000,',
    '})',
  ],
  google: (baseUrl, path) => [
    '// npm install @google/genai',
    "import { GoogleGenAI } from '@google/genai'",
    '',
    'const client = new GoogleGenAI({',
    `  apiKey: ${KEY},`,
    `  httpOptions: { baseUrl: ${literal(baseUrl)}, apiVersion: ${literal(path.split('/')[1])} },`,
    '})',
  ],
}

/** Headers and query as the SDKs of OpenAI and Anthropic take them. */
const optionsOf = ({ headers, query }: SdkCall): Record<string, unknown> => ({
  ...(isEmpty(headers) ? {} : { headers }),
  ...(isEmpty(query) ? {} : { query }),
})

function googleArguments({ path, body, headers }: SdkCall): string {
  const { contents, config, rest } = googleParams(body)
  const httpOptions = {
    ...(isEmpty(headers) ? {} : { headers }),
    ...(isEmpty(rest) ? {} : { extraBody: rest }),
  }
  const model = decodeURIComponent(/models\/([^/:]+):/.exec(path)?.[1] ?? '')
  const whole = { ...config, ...(isEmpty(httpOptions) ? {} : { httpOptions }) }
  return literal({
    model,
    contents: contents ?? '-',
    ...(isEmpty(whole) ? {} : { config: whole }),
  })
}

function argumentsOf(call: SdkCall): string {
  if (call.sdk === 'google') return googleArguments(call)
  const options = optionsOf(call)
  if (!call.method) {
    const isStream = call.isStream ? { stream: true } : {}
    return `${literal(call.path)}, ${literal({ body: call.body, ...options, ...isStream })}`
  }
  return `${literal(call.body)}${isEmpty(options) ? '' : `, ${literal(options)}`}`
}

/** A call as a TypeScript module over the official SDK of its wire format. */
export function typescript(plain: PlainCall): string {
  const call = sdkCall(plain)
  const method = call.method?.typescript ?? 'post'
  const isBeside = call.sdk === 'google' && googleParams(call.body).contents === null
  return [
    ...clients[call.sdk](call.baseUrl, call.path),
    '',
    ...(isBeside
      ? ['// The SDK would change the contents: extraBody carries them as they are.']
      : []),
    `const answer = await client.${method}(${argumentsOf(call)})`,
    call.isStream
      ? 'for await (const event of answer) console.log(JSON.stringify(event))'
      : 'console.log(JSON.stringify(answer, null, 2))',
    '',
  ].join('\n')
}
