import type { ChannelFields } from '../../../main/store/records/channels.ts'
import { vendorClients } from '../clients/vendor-clients.ts'
import { startTestGateway, type TestGateway } from '../gateway/start-test-gateway.ts'
import { startOtherUpstream } from '../strict/other/other-upstream.ts'
import type { ScriptedUpstream } from '../upstreams/scripted-upstream.ts'
import type { Booked } from './other-stage.ts'

/** Vendors of rankings with their channel's type and settings. */
const vendors = {
  cohere: [34, {}],
  jina: [38, {}],
  vllm: [1, {}],
  voyage: [1, { rerank_format: 'voyage' }],
  tei: [1, { rerank_format: 'tei' }],
} as const

type VendorName = keyof typeof vendors

export const rerankVendorNames = Object.keys(vendors) as readonly VendorName[]

/** A gateway in front of vendors of rankings, each behind one channel with the model `<vendor>-reranker`. */
export interface RerankStage {
  gateway: TestGateway
  upstreams: Readonly<Record<VendorName, ScriptedUpstream>>
  clients: ReturnType<typeof vendorClients>
  /** The refusals of a strict vendor, in its words. */
  refusals(vendor: VendorName): readonly string[]
  addChannel(vendor: VendorName, fields: Partial<ChannelFields>): void
  /** A plain client with a token. */
  post(path: string, body: object, init?: RequestInit): Promise<Response>
  /** Runs calls and gives the newest row; throws unless `count` rows were written. */
  booked(run: () => Promise<unknown>, count?: number): Promise<Booked>
  close(): Promise<void>
}

export async function startRerankStage(): Promise<RerankStage> {
  const gateway = await startTestGateway()
  // A failure in one test must not leave the channel in cooldown for the next.
  gateway.set({ ChannelFailureCount: 0 })
  const refused: Partial<Record<VendorName, string[]>> = {}
  const start = async (name: VendorName): Promise<ScriptedUpstream> => {
    const upstream = await startOtherUpstream(name)
    refused[name] = upstream.refusals
    return upstream
  }
  const started = await Promise.all(
    rerankVendorNames.map(async (name) => [name, await start(name)]),
  )
  const upstreams: Record<VendorName, ScriptedUpstream> = Object.fromEntries(started)
  const addChannel: RerankStage['addChannel'] = (name, fields) => {
    const [type, settings] = vendors[name]
    const { url: baseUrl } = upstreams[name]
    const models = [`${name}-reranker`]
    gateway.addChannel({ type, name, baseUrl, models, settings, ...fields })
  }
  for (const name of rerankVendorNames) addChannel(name, {})
  return {
    gateway,
    upstreams,
    clients: vendorClients(gateway),
    refusals: (name) => refused[name] ?? [],
    addChannel,
    post: (path, body, init = {}) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...init,
      }),
    async booked(run, count = 1) {
      const before = gateway.rows().length
      await run()
      const rows = await gateway.rowsWhen(before + count)
      const [row] = rows
      if (!row || rows.length !== before + count) {
        throw new Error(`${rows.length - before} rows were written instead of ${count}.`)
      }
      return { ...row, other: JSON.parse(row.other) as Record<string, unknown> }
    },
    async close() {
      await gateway.close()
      await Promise.all(rerankVendorNames.map((name) => upstreams[name].close()))
    },
  }
}
