import Anthropic from '@anthropic-ai/sdk'
import type { Channel } from '../../../../main/store/records/channels.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type StrictGoogle,
  startStrictGoogle,
} from '../../../support/upstreams/strict-google-caches.ts'

export type Json = Record<string, unknown>
type Message = Anthropic.MessageParam
type AskedFields = Partial<Anthropic.MessageCreateParamsNonStreaming>

/** Some 2000 tokens. */
export const LONG = 'A rule of the house. '.repeat(400)
export const MODEL = 'gemini-2.5-flash'
export const MARK = { type: 'ephemeral' } as const

export const user = (text: string, isMarked = false): Message => ({
  role: 'user',
  content: [{ type: 'text', text, ...(isMarked ? { cache_control: MARK } : {}) }],
})
export const assistant = (text: string): Message => ({ role: 'assistant', content: text })
export const system = (text = LONG, ttl?: '5m' | '1h') => [
  { type: 'text' as const, text, cache_control: { ...MARK, ...(ttl ? { ttl } : {}) } },
]

/** A gateway with a channel that caches at a strictly played Google, and Anthropic's client in front. */
export class CachingStage {
  google!: StrictGoogle
  channel!: Channel
  anthropic!: Anthropic
  readonly gateway: TestGateway

  private constructor(gateway: TestGateway) {
    this.gateway = gateway
  }

  static async open(): Promise<CachingStage> {
    return new CachingStage(await startTestGateway())
  }

  /** A vendor that has no caches yet. */
  async begin(): Promise<void> {
    const { gateway } = this
    this.google = await startStrictGoogle()
    this.channel = gateway.addChannel({
      ...{ type: 24, name: 'Google', key: 'key-1', baseUrl: this.google.url, models: [MODEL] },
      settings: { explicit_caching: true },
    })
    this.anthropic = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
  }

  async end(): Promise<void> {
    this.gateway.parts.channels.remove([this.channel.id])
    await this.google.close()
  }

  /** The bodies of requests for new caches. */
  made(): Json[] {
    return this.google.asked('POST', '/cachedContents').map((one) => one.json() as Json)
  }

  /** Tokens of the first cache. */
  get firstTokens(): number | undefined {
    return this.google.caches.get('cachedContents/c1')?.tokens
  }

  /** A call of Anthropic's own client; gives its usage and what its row notes. */
  async ask(fields: AskedFields = {}) {
    const { gateway, anthropic } = this
    const before = gateway.rows().length
    const { data, response } = await anthropic.messages
      .create({
        ...{ model: MODEL, max_tokens: 100, system: system(), messages: [user('Hi')] },
        ...fields,
      })
      .withResponse()
    const rows = await gateway.rowsWhen(before + 1)
    const row = rows.find(({ requestId }) => requestId === response.headers.get('request-id'))
    if (!row) throw new Error('the call has no row')
    const other = JSON.parse(row.other) as Json & { explicit_cache?: Json; loss?: Json[] }
    const lost = response.headers.get('x-switchyard-loss') ?? ''
    return { usage: data.usage, row, other, cache: other.explicit_cache ?? {}, lost }
  }
}
