import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestGateway, type TestGateway } from '../support/gateway/start-test-gateway.ts'
import type { Cell } from './cells.ts'
import type { Places, Scene } from './fault.ts'
import { goodAnswer } from './good-answer.ts'
import { type RawExchange, type RawUpstream, startRawUpstream } from './raw-upstream.ts'
import { vendorAnswer } from './vendor-answer.ts'

/** One cell with all that it needs on a stage. */
export interface Placed {
  cell: Cell
  model: string
  /** Ids of its channels, the one with the fault first. */
  channels: number[]
  /** To be called when the client has heard of the answer. */
  begin(): void
  bad: Scene
  good: Scene | null
}

/** A gateway and the upstreams of many cells, which are told apart by the path. */
export interface Stage {
  gateway: TestGateway
  upstreams: readonly RawUpstream[]
  placed: readonly Placed[]
  /** Key of a token with a quota, so that units are reserved for running calls. */
  key: string
  tokenId: number
  close(): Promise<void>
}

/** The channel's type and endpoint for an upstream that speaks a format. */
export const endpointOf = {
  chat: { type: 1, endpoint: 'openai' },
  responses: { type: 1, endpoint: 'openai-response' },
  messages: { type: 14, endpoint: 'anthropic' },
  'generate-content': { type: 24, endpoint: 'gemini' },
} as const

export const INPUT_RATIO = 1
export const OUTPUT_RATIO = 2
/** The channels report different usage, so that the row shows whose answer was charged. */
const BAD_USE = { input: 1111, output: 77 }
const GOOD_USE = { input: 2003, output: 31 }
/** Far beyond every call's cost; it limits all the same. */
export const GRANTED = 1_000_000_000

/** Limits that no cell meets unless it is meant to, on a machine with much else to do. */
const GENEROUS = {
  connect_seconds: 20,
  first_byte_seconds: 20,
  idle_seconds: 20,
  total_seconds: 60,
}

/** Milliseconds after which an upstream goes on although its client has heard of nothing. */
const LONGEST_WAIT = 3000

const sceneOf = (
  cell: Cell,
  upstream: Scene['upstream'],
  model: string,
  isBad: boolean,
  begun: Promise<void>,
): Scene => {
  const { input, output } = isBad ? BAD_USE : GOOD_USE
  const { client, stream } = cell
  // Where it is converted, events are asked for.
  const asArray = cell.asArray && upstream === client
  const answer = vendorAnswer(upstream, model, input, output, asArray)
  const hasBegun = () => Promise.race([begun, sleep(LONGEST_WAIT, undefined, { ref: false })])
  return { client, upstream, stream, asArray, answer, hasBegun }
}

let certificate: { key: string; cert: string } | null = null

/** A certificate that nobody has signed but itself. */
function selfSigned(): { key: string; cert: string } {
  if (certificate) return certificate
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-faults-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const what = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const name = ['-subj', '/CN=127.0.0.1', '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...what, ...name, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    })
    certificate = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
    return certificate
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A port at which nothing listens. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Sets a gateway up with the channels and prices of these cells. */
export async function startStage(cells: readonly Cell[]): Promise<Stage> {
  const gateway = await startTestGateway()
  const placed: Placed[] = cells.map((cell, index) => {
    const model = `cell-${index}`
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    return {
      ...{ cell, model, channels: [], begin },
      bad: sceneOf(cell, cell.upstream, model, true, begun),
      good: cell.second && sceneOf(cell, cell.second, model, false, begun),
    }
  })
  const handle = (exchange: RawExchange): void | Promise<void> => {
    const [, index, role] = exchange.url.split('/')
    const one = placed[Number(index)]
    if (!one) return void exchange.socket.destroy()
    if (role === 'bad') return one.cell.fault.play(exchange, one.bad)
    return goodAnswer(exchange, one.good ?? one.bad)
  }
  const plain = await startRawUpstream(handle)
  const tls = await startRawUpstream(handle, selfSigned())
  const silentSockets = new Set<Socket>()
  const silent = createServer((socket) => {
    silentSockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => silentSockets.delete(socket))
    // Unread, it would never be seen to end.
    socket.resume()
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const silentAddress = silent.address()
  const silentPort = typeof silentAddress === 'object' && silentAddress ? silentAddress.port : 0
  const places: Places = {
    plain: plain.url,
    tls: tls.url,
    silent: `http://127.0.0.1:${silentPort}`,
    closed: `http://127.0.0.1:${await closedPort()}`,
  }

  const fields = placed.flatMap(({ cell, model, bad, good }, index) => {
    const { fault } = cell
    const channel = (scene: Scene, name: string, place: string, limits: object) => ({
      type: endpointOf[scene.upstream].type,
      ...{ name: `${index} ${name}`, key: `sk-fault-${index}-${name}` },
      ...{ baseUrl: `${place}/${index}/${name}`, models: [model], groups: ['default'] },
      priority: name === 'bad' ? 10 : 0,
      settings: { endpoint_types: [endpointOf[scene.upstream].endpoint], ...GENEROUS, ...limits },
    })
    const place = fault.place?.(places) ?? places.plain
    return [
      channel(bad, 'bad', place, fault.limits ?? {}),
      ...(good ? [channel(good, 'good', places.plain, {})] : []),
    ]
  })
  const made = gateway.parts.channels.createMany(fields)
  let next = 0
  for (const one of placed) {
    one.channels = made.slice(next, next + (one.good ? 2 : 1)).map(({ id }) => id)
    next += one.channels.length
  }
  const models = placed.map(({ model }) => model)
  gateway.set({
    RetryOnTimeout: true,
    ModelRatio: Object.fromEntries(models.map((model) => [model, INPUT_RATIO])),
    CompletionRatio: Object.fromEntries(models.map((model) => [model, OUTPUT_RATIO])),
  })
  const token = gateway.addToken({ unlimitedQuota: false, grantedQuota: GRANTED })
  return {
    ...{ gateway, placed, upstreams: [plain, tls], key: token.full, tokenId: token.id },
    async close() {
      await gateway.close()
      await Promise.all([plain.close(), tls.close()])
      silent.close()
      for (const socket of silentSockets) socket.destroy()
    },
  }
}
