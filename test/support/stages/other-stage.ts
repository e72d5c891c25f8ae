import OpenAI from 'openai'
import type { StoredCall } from '../../../main/store/ledger/ledger.ts'
import type { ChannelFields } from '../../../main/store/records/channels.ts'
import { startTestGateway, type TestGateway } from '../gateway/start-test-gateway.ts'
import { type OtherUpstream, startOtherUpstream } from '../strict/other/other-upstream.ts'

/** Vendors that a client of `/v1` reaches, with their channel's type and models. */
const played = {
  openai: [
    1,
    'gpt-3.5-turbo-instruct text-embedding-3-small gpt-image-1 dall-e-2 gpt-4o-transcribe whisper-1 gpt-4o-mini-tts tts-1',
  ],
  google: [
    24,
    'gemini-embedding-001 gemini-3.1-flash-image gemini-3-flash gemini-2.5-flash-preview-tts',
  ],
  cohere: [34, 'embed-v4.0 embed-english-v3.0'],
  jina: [38, 'jina-embeddings-v3'],
  ollama: [4, 'nomic-embed-text'],
} as const

export type Played = keyof typeof played

/** A row of the ledger with its `other` column read. */
export type Booked = Omit<StoredCall, 'other'> & { other: Record<string, unknown> }

/** A gateway in front of strict vendors of calls that are no conversations, each behind one channel. */
export interface OtherStage {
  gateway: TestGateway
  upstreams: Readonly<Record<Played, OtherUpstream>>
  /** OpenAI's own client, without retries of its own. */
  client: OpenAI
  clientWith(key: string): OpenAI
  addChannel(vendor: Played, fields: Partial<ChannelFields>): ReturnType<TestGateway['addChannel']>
  /** Runs one call and gives the one row that was booked for it; throws where there are more. */
  booked(run: () => Promise<unknown>): Promise<Booked>
  close(): Promise<void>
}

export async function startOtherStage(): Promise<OtherStage> {
  const gateway = await startTestGateway()
  // A failure in one test must not leave the channel in cooldown for the next.
  gateway.set({ ChannelFailureCount: 0 })
  const names = Object.keys(played) as Played[]
  const started = await Promise.all(
    names.map(async (name) => [name, await startOtherUpstream(name)]),
  )
  const upstreams: Record<Played, OtherUpstream> = Object.fromEntries(started)
  const addChannel: OtherStage['addChannel'] = (vendor, fields) =>
    gateway.addChannel({
      type: played[vendor][0],
      name: vendor,
      baseUrl: upstreams[vendor].url,
      models: played[vendor][1].split(' '),
      ...fields,
    })
  for (const name of names) addChannel(name, {})
  const clientWith = (apiKey: string) =>
    new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  return {
    gateway,
    upstreams,
    client: clientWith(gateway.key),
    clientWith,
    addChannel,
    async booked(run) {
      const before = gateway.rows().length
      await run()
      const rows = await gateway.rowsWhen(before + 1)
      const [row] = rows
      if (!row || rows.length !== before + 1) {
        throw new Error(`${rows.length - before} rows were written instead of one.`)
      }
      return { ...row, other: JSON.parse(row.other) as Record<string, unknown> }
    },
    async close() {
      await gateway.close()
      await Promise.all(names.map((name) => upstreams[name].close()))
    },
  }
}
