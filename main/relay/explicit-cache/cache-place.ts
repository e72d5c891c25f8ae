import type { Cancellation } from '../../base/cancellation.ts'
import { digest } from '../../base/digest.ts'
import { GatewayError } from '../../base/errors.ts'
import { redact } from '../../base/log/redact.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import { readVendorError } from '../../convert/errors/vendor-error.ts'
import { asArray, asCount, asObject, asString } from '../../convert/json/json-value.ts'
import { readAll } from '../../upstream/body.ts'
import { sendUpstream } from '../../upstream/send-upstream.ts'
import type { ChannelConnection } from '../channel/channel-connection.ts'

/** Milliseconds in which a cache must be made: the call waits for it. A prompt of a million tokens takes some 20 s. */
const CREATE_LIMIT = 30_000
/** Milliseconds for all that is only asked about a cache. */
const ASK_LIMIT = 5_000
const ANSWER_LIMIT = 4 * 1024 * 1024
/** Google lists no more on a page: https://ai.google.dev/api/caching#method:-cachedcontents.list */
const PAGE = 1000
/** The name of the gateway's own caches at Google. */
const OWN_NAME = 'switchyard-'
const NAME = /^cachedContents\/[\w-]+$/

/** A cache as Google tells of it. */
export interface ListedCache {
  /** `cachedContents/…` */
  name: string
  /** Digest of the prompt it holds. */
  digest: string
  /** Null where it is not told. */
  tokens: number | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Google did not do what it was asked. */
export class CacheRefusal extends Error {
  /** HTTP status; null where no answer came. */
  readonly status: number | null
  /** The fewest tokens that a cache of this model may have, where that is what is wrong. */
  readonly minimum: number | null

  constructor(status: number | null, message: string, minimum: number | null = null) {
    super(message)
    this.status = status
    this.minimum = minimum
  }
}

/** `Cached content is too small. total_token_count=416, min_total_token_count=4096`: the figure has no field of its own. */
function minimumIn(message: string): number | null {
  const [, minimum] = /min_total_token_count\s*=\s*(\d+)/.exec(message) ?? []
  return minimum === undefined ? null : Number(minimum)
}

function readCache(value: unknown): ListedCache | null {
  const cache = asObject(value)
  const name = asString(cache?.name) ?? ''
  const expiresAt = Date.parse(asString(cache?.expireTime) ?? '')
  const own = asString(cache?.displayName) ?? ''
  // The name goes into URLs.
  if (!NAME.test(name) || !own.startsWith(OWN_NAME)) return null
  return {
    name,
    digest: own.slice(OWN_NAME.length),
    tokens: asCount(asObject(cache?.usageMetadata)?.totalTokenCount) ?? null,
    expiresAt: Number.isNaN(expiresAt) ? 0 : expiresAt,
  }
}

interface CacheRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  body?: Buffer
  limit: number
  cancellation?: Cancellation
}

/** All that is needed to ask for one key's caches. */
interface Reach extends ChannelConnection {
  channelId: number
  key: string
  /** The model's name at the upstream. */
  model: string
  /** URL of the collection: `…/cachedContents`. */
  url: string
  headers: Readonly<Record<string, string>>
}

/** Where one key's caches are: a cache belongs to the project that the key is of. */
export class CachePlace {
  readonly id: string
  readonly channelId: number
  readonly key: string
  readonly model: string
  readonly #reach: Reach

  constructor(reach: Reach) {
    const { channelId, key, url, model } = reach
    this.id = digest(JSON.stringify([channelId, key, url]))
    this.channelId = channelId
    this.key = key
    this.model = model
    this.#reach = reach
  }

  /** The members of a creating body that are not the prompt's. */
  head(digest: string, ttl: number): Record<string, string> {
    const model = this.model.includes('/') ? this.model : `models/${this.model}`
    return { model, displayName: `${OWN_NAME}${digest}`, ttl: `${ttl}s` }
  }

  /** Throws CacheRefusal, or what the cancellation was given. */
  async create(body: Buffer, cancellation: Cancellation): Promise<ListedCache> {
    const answer = await this.#ask({
      ...{ method: 'POST', url: this.#reach.url, body, limit: CREATE_LIMIT, cancellation },
    })
    const made = readCache(answer)
    if (!made) throw new CacheRefusal(null, 'The answer names no cache.')
    return made
  }

  /** The gateway's own caches that there are: those of an earlier run, or of another gateway with this key. */
  async list(): Promise<ListedCache[]> {
    const url = `${this.#reach.url}?pageSize=${PAGE}`
    const answer = await this.#ask({ method: 'GET', url, limit: ASK_LIMIT })
    return asArray(asObject(answer)?.cachedContents)
      .map(readCache)
      .filter((cache) => cache !== null)
  }

  /** Keeps a cache for so many seconds from now on. */
  async extend(name: string, ttl: number): Promise<void> {
    const url = `${this.#urlOf(name)}?updateMask=ttl`
    const body = Buffer.from(JSON.stringify({ ttl: `${ttl}s` }))
    await this.#ask({ method: 'PATCH', url, body, limit: ASK_LIMIT })
  }

  async remove(name: string): Promise<void> {
    await this.#ask({ method: 'DELETE', url: this.#urlOf(name), limit: ASK_LIMIT })
  }

  #urlOf(name: string): string {
    return this.#reach.url.slice(0, -'cachedContents'.length) + name
  }

  async #ask({ method, url, body, limit, cancellation }: CacheRequest): Promise<unknown> {
    const { headers, proxy, checkAddress, checkThrough, limits: own } = this.#reach
    const limits = { ...own, total: Math.min(own.total, limit) }
    try {
      const answer = await sendUpstream({
        ...{ method, url, headers: { ...headers }, proxy, checkAddress, checkThrough, limits },
        ...(body ? { body } : {}),
        ...(cancellation ? { cancellation } : {}),
      })
      const json = parseJson(await readAll(answer.body, ANSWER_LIMIT))
      if (answer.status >= 200 && answer.status < 300) return json
      const message = readVendorError(json)?.message ?? `HTTP ${answer.status}`
      throw new CacheRefusal(answer.status, redact(message), minimumIn(message))
    } catch (error) {
      if (cancellation?.reason || !(error instanceof GatewayError)) throw error
      throw new CacheRefusal(null, error.message)
    }
  }
}
