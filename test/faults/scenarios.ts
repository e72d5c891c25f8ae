import { setTimeout as sleep } from 'node:timers/promises'
import type { WireFormat } from '../../main/convert/exchange.ts'
import type { RouteNote } from '../../main/relay/call/route-note.ts'
import type { Settings } from '../../main/store/state/settings.ts'
import { startTestGateway, type TestGateway } from '../support/gateway/start-test-gateway.ts'
import type { Scene } from './fault.ts'
import { makeCall, type SeenAnswer } from './faulty-call.ts'
import { goodAnswer } from './good-answer.ts'
import { JSON_TYPE, sendWhole } from './raw-answer.ts'
import { type RawExchange, type RawUpstream, startRawUpstream } from './raw-upstream.ts'
import { endpointOf } from './stage.ts'
import { vendorAnswer, vendorError } from './vendor-answer.ts'

const MODEL = 'model-a'
const scene = (client: WireFormat, stream: boolean): Scene => ({
  ...{ client, upstream: client, stream, asArray: false },
  answer: vendorAnswer(client, MODEL, 10, 20),
  hasBegun: async () => {},
})

/** One gateway, channels in order of their priority, each with an upstream of its own. */
export interface Play {
  gateway: TestGateway
  upstreams: readonly RawUpstream[]
  channels: readonly number[]
  /** Makes a call and waits for its row. */
  call(key?: string): Promise<{ answer: SeenAnswer; tried: number[]; route: RouteNote | undefined }>
  demand(holds: boolean, what: string): void
}

export interface Scenario {
  name: string
  run(): Promise<string[]>
}

type Player = (exchange: RawExchange, good: () => Promise<void>) => void | Promise<void>

/** A story of several calls in one format; what `script` demands in vain is what comes out. */
export function scenario(
  name: string,
  client: WireFormat,
  stream: boolean,
  settings: Partial<Settings>,
  players: readonly Player[],
  script: (play: Play) => Promise<void>,
): Scenario {
  async function run(): Promise<string[]> {
    const problems: string[] = []
    const gateway = await startTestGateway()
    gateway.set(settings)
    const good = scene(client, stream)
    const upstreams = await Promise.all(
      players.map((player) =>
        startRawUpstream((exchange) => player(exchange, () => goodAnswer(exchange, good))),
      ),
    )
    const { type, endpoint } = endpointOf[client]
    const channels = upstreams.map(
      ({ url }, index) =>
        gateway.addChannel({
          ...{ type, name: `channel ${index}`, baseUrl: url, models: [MODEL] },
          priority: 10 - index,
          settings: { endpoint_types: [endpoint] },
        }).id,
    )
    let count = 0
    try {
      await script({
        ...{ gateway, upstreams, channels },
        async call(key = gateway.key) {
          const answer = await makeCall({ url: gateway.url, key, client, model: MODEL, stream })
          const [row] = await gateway.rowsWhen(++count)
          const rows = gateway.rows().length
          if (rows !== count) problems.push(`${rows} rows after ${count} calls`)
          const { admin_info: info } = JSON.parse(row?.other ?? '{}') as {
            admin_info?: { use_channel: string[]; route?: RouteNote }
          }
          return { answer, tried: (info?.use_channel ?? []).map(Number), route: info?.route }
        },
        demand(holds, what) {
          if (!holds) problems.push(what)
        },
      })
    } catch (error) {
      problems.push(String((error as Error).stack))
    } finally {
      await gateway.close()
      await Promise.all(upstreams.map((one) => one.close()))
    }
    return problems
  }
  return { name: [name, client, stream ? 'stream' : 'whole'].join(' | '), run }
}

/** Refuses with a status, in the words of the format's vendor. */
export const refuse =
  (client: WireFormat, status: number, headers: Record<string, string> = {}): Player =>
  (exchange) =>
    sendWhole(
      exchange,
      status,
      { ...JSON_TYPE, ...headers },
      JSON.stringify(vendorError(client, status)),
    )

export const answerWell: Player = (_exchange, good) => good()

/** Waits until something holds, at most `limit` milliseconds; gives whether it does. */
export async function comesTrue(holds: () => boolean, limit: number): Promise<boolean> {
  const until = performance.now() + limit
  while (!holds() && performance.now() < until) await sleep(10)
  return holds()
}
