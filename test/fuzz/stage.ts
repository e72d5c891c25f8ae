import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type RunningGateway, startGateway } from '../../main/gateway.ts'
import { openConfFile } from '../../main/store/state/conf-file.ts'
import { Fault } from './fault.ts'

/** The upstream's answer, in these pieces. */
export interface Answer {
  status: number
  headers: Record<string, string>
  pieces: readonly Buffer[]
  /** The connection breaks off behind the last piece. */
  isCut: boolean
}

/** A gateway in this process with a channel to each kind of upstream, all of which answer what they are told. */
export interface Stage {
  gateway: RunningGateway
  /** `sk-…` of a token without limits. */
  key: string
  /** The cookie of a session of the n-th owner: each may ask only so often. */
  cookie(owner: number): Promise<string>
  /** Sets the answer to the call that carries this mark in `x-fuzz`; null forgets it. */
  tell(mark: string, answer: Answer | null): void
  /** Throws a Fault for what the gateway has logged as its own failure since it was asked last. */
  checkLog(): void
  close(): Promise<void>
}

const OWNER = { username: 'ada', password: 'correct horse' }
const headerOverride = { 'x-fuzz': '{client_header:x-fuzz}' }
const CHANNELS = [
  { name: 'chat', type: 1, models: ['up-chat'], settings: { endpoint_types: ['openai'] } },
  {
    name: 'responses',
    type: 1,
    models: ['up-responses'],
    settings: { endpoint_types: ['openai-response'] },
  },
  { name: 'messages', type: 14, models: ['up-messages'], settings: {} },
  { name: 'gemini', type: 24, models: ['up-generate-content'], settings: {} },
  {
    name: 'others',
    type: 1,
    models: ['up-other'],
    settings: { endpoint_types: ['embeddings', 'image-generation', 'audio', 'jina-rerank'] },
  },
]

function startUpstream(told: Map<string, Answer>): Promise<Server> {
  const server = createServer((request, response) => {
    const mark = String(request.headers['x-fuzz'])
    const answer = told.get(mark)
    request.resume()
    request.on('error', () => {})
    response.on('error', () => {})
    if (!answer) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"not told"}}')
      return
    }
    const { status, headers, pieces, isCut } = answer
    response.writeHead(status, headers)
    for (const piece of pieces) response.write(piece)
    if (isCut) response.destroy()
    else response.end()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

export async function startStage(): Promise<Stage> {
  const told = new Map<string, Answer>()
  const upstream = await startUpstream(told)
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const dataFolder = mkdtempSync(join(tmpdir(), 'switchyard-fuzz-'))
  const failures: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void failures.push(line) })
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    portIsNamed: true,
    dataFolder,
    rendererFolder: dataFolder,
    openStateFile: openConfFile,
    env: {},
    log,
  })
  const { parts, url } = gateway
  const json = { 'content-type': 'application/json' }
  const first = JSON.stringify({ ...OWNER, confirmPassword: OWNER.password })
  await fetch(`${url}/api/setup`, { method: 'POST', headers: json, body: first })
  // A channel that fails on purpose must not cool down, or no call would reach its upstream any more.
  parts.settings.update({ ChannelFailureCount: 0, RetryTimes: 1, StreamKeepAliveSeconds: 0 })
  for (const channel of CHANNELS) {
    parts.channels.create({
      ...channel,
      baseUrl,
      key: 'vendor-key',
      groups: ['default'],
      headerOverride,
    })
  }
  parts.channels.create({ name: 'Echo', type: 900, models: ['echo'], groups: ['default'] })
  const owner = parts.users.all()[0]
  const token = parts.tokens.create({ userId: owner?.id ?? 1, name: 'fuzz', unlimitedQuota: true })
  return {
    gateway,
    key: `sk-${token.key}`,
    async cookie(number) {
      const username = number === 0 ? OWNER.username : `owner${number}`
      const passwordHash = owner?.passwordHash ?? null
      if (number > 0) parts.users.create({ username, passwordHash, role: 100 })
      const answer = await fetch(`${url}/api/user/login`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ ...OWNER, username }),
      })
      return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    },
    tell(mark, answer) {
      if (answer) told.set(mark, answer)
      else told.delete(mark)
    },
    checkLog() {
      const lines = failures.splice(0)
      if (lines.length > 0) throw new Fault(`logged: ${lines.join('').slice(0, 2000)}`)
    },
    async close() {
      await gateway.close()
      upstream.closeAllConnections()
      upstream.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
