import {
  type RecordedRequest,
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from './scripted-upstream.ts'

type Json = Record<string, unknown>

interface Kept {
  name: string
  /** The key that it was made with: here each is of a project of its own. */
  key: string
  displayName: string
  model: string
  body: Json
  tokens: number
  /** Milliseconds since 1970. */
  until: number
}

/** Google with its cached contents, played strictly over real HTTP. */
export interface StrictGoogle extends ScriptedUpstream {
  /** By name, as `cachedContents/…`. */
  caches: Map<string, Kept>
  /** Fewest tokens of a cache. */
  minimum: number
  /** The answer to the next request for a new cache, in place of creating it. */
  refuseNext: Reply | null
  /** The model's words. */
  says: string
  /** The answer to the next call to the model. */
  failNext: Reply | null
  /** It keeps no cache for longer. */
  extendsNone: boolean
  /** Runs before a cache is created. */
  beforeMaking: () => Promise<void> | void
  /** Requests of this method whose path ends so. */
  asked(method: string, ending: string): RecordedRequest[]
  /** Bodies of the calls to the model. */
  generated(): Json[]
}

const refusal = (code: number, status: string, message: string): Reply => ({
  status: code,
  body: { error: { code, status, message } },
})

/** Every four characters of the prompt's JSON are a token. */
const tokensOf = (...values: unknown[]): number =>
  Math.ceil(
    values
      .filter((value) => value !== undefined)
      .reduce<number>((sum, value) => sum + JSON.stringify(value).length, 0) / 4,
  )

const rolesOf = (contents: unknown): { role: string; parts: Json[] }[] =>
  (contents ?? []) as { role: string; parts: Json[] }[]

const known = [
  'model',
  'displayName',
  'ttl',
  'systemInstruction',
  'tools',
  'toolConfig',
  'contents',
]

/** Plays https://ai.google.dev/api/caching and generateContent beside it. */
export async function startStrictGoogle(): Promise<StrictGoogle> {
  const caches = new Map<string, Kept>()
  let count = 0

  const told = ({ name, displayName, model, tokens, until }: Kept) => ({
    ...{ name, displayName, model },
    expireTime: new Date(until).toISOString(),
    usageMetadata: { totalTokenCount: tokens },
  })

  function secondsOf(ttl: unknown): number {
    const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(String(ttl)) ?? []
    if (seconds === undefined) throw new Error(`ttl is ${String(ttl)}`)
    return Number(seconds)
  }

  async function make(body: Json, key: string): Promise<Reply> {
    await google.beforeMaking()
    const { refuseNext } = google
    google.refuseNext = null
    if (refuseNext) return refuseNext
    const unknown = Object.keys(body).find((name) => !known.includes(name))
    if (unknown) return refusal(400, 'INVALID_ARGUMENT', `Unknown name "${unknown}"`)
    if (!/^models\//.test(String(body.model))) return refusal(400, 'INVALID_ARGUMENT', 'model')
    const contents = rolesOf(body.contents)
    if (body.contents !== undefined && contents.length === 0) {
      return refusal(400, 'INVALID_ARGUMENT', 'contents is not specified')
    }
    const last = contents.at(-1)
    if (last?.role === 'model' || last?.parts.at(-1)?.functionResponse) {
      const message = 'Requests ending with a model turn are not supported.'
      return refusal(400, 'INVALID_ARGUMENT', message)
    }
    const tokens = tokensOf(body.systemInstruction, body.tools, body.toolConfig, body.contents)
    if (tokens < google.minimum) {
      const message = `Cached content is too small. total_token_count=${tokens}, min_total_token_count=${google.minimum}`
      return refusal(400, 'INVALID_ARGUMENT', message)
    }
    const name = `cachedContents/c${++count}`
    const until = Date.now() + secondsOf(body.ttl) * 1000
    const { displayName, model } = body as unknown as Kept
    const kept = { name, key, displayName, model, body, tokens, until }
    caches.set(name, kept)
    return { body: told(kept) }
  }

  function generate(url: string, body: Json, key: string): Reply {
    const model = /(models\/[^:]+):/.exec(url)?.[1]
    if (rolesOf(body.contents).length === 0) {
      return refusal(400, 'INVALID_ARGUMENT', 'contents is not specified')
    }
    let cached = 0
    if (body.cachedContent !== undefined) {
      if (body.systemInstruction ?? body.tools ?? body.toolConfig) {
        const message =
          'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.'
        return refusal(400, 'INVALID_ARGUMENT', message)
      }
      const kept = caches.get(String(body.cachedContent))
      if (kept?.key !== key || kept.until <= Date.now()) {
        return refusal(403, 'PERMISSION_DENIED', 'CachedContent not found (or permission denied)')
      }
      if (kept.model !== model) {
        return refusal(
          400,
          'INVALID_ARGUMENT',
          'Model used by GenerateContent request and CachedContent has to be the same.',
        )
      }
      cached = kept.tokens
    }
    const rest = tokensOf(body.systemInstruction, body.tools, body.contents)
    const answer = {
      candidates: [
        {
          content: { role: 'model', parts: [{ text: google.says }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: cached + rest,
        ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
        candidatesTokenCount: 2,
        totalTokenCount: cached + rest + 2,
      },
      modelVersion: 'gemini',
    }
    if (!url.includes(':streamGenerateContent')) return { body: answer }
    return { chunks: [`data: ${JSON.stringify(answer)}\n\n`] }
  }

  const upstream = await startUpstream(async (request) => {
    const { method, url } = request
    const path = url.split('?')[0] ?? ''
    const name = /\/(cachedContents\/[^/]+)$/.exec(path)?.[1]
    const key = request.headers['x-goog-api-key']
    if (typeof key !== 'string') return refusal(401, 'UNAUTHENTICATED', 'key')
    if (path.endsWith(':countTokens')) return { body: { totalTokens: 7 } }
    if (path.includes(':') && google.failNext) {
      const { failNext } = google
      google.failNext = null
      return failNext
    }
    if (path.includes(':')) return generate(url, request.json() as Json, key)
    if (method === 'POST') return make(request.json() as Json, key)
    if (method === 'GET') {
      const all = [...caches.values()].filter((one) => one.key === key).map(told)
      return { body: all.length > 0 ? { cachedContents: all } : {} }
    }
    const kept = caches.get(name ?? '')
    if (kept?.key !== key) return refusal(403, 'PERMISSION_DENIED', 'CachedContent not found')
    if (method === 'DELETE') {
      caches.delete(kept.name)
      return { body: {} }
    }
    if (google.extendsNone) return refusal(503, 'UNAVAILABLE', 'Try again later.')
    kept.until = Date.now() + secondsOf((request.json() as Json).ttl) * 1000
    return { body: told(kept) }
  })
  const google: StrictGoogle = Object.assign(upstream, {
    caches,
    minimum: 1024,
    refuseNext: null,
    says: 'Hello',
    failNext: null,
    extendsNone: false,
    beforeMaking: () => undefined,
    asked: (method: string, ending: string) =>
      upstream.requests.filter(
        (one) => one.method === method && (one.url.split('?')[0] ?? '').endsWith(ending),
      ),
    generated: () =>
      upstream.requests
        .filter(({ url }) => /enerateContent/.test(url))
        .map((one) => one.json() as Json),
  })
  return google
}
