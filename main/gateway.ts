import { createHmac } from 'node:crypto'
import type http from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { promises as timers } from 'node:timers'
import { unixSeconds } from './base/clock.ts'
import { GatewayError } from './base/errors.ts'
import type { Log } from './base/log.ts'
import { portHolder } from './base/port-holder.ts'
import { ReasoningMemory } from './convert/reasoning-memory.ts'
import { ResponseMemory } from './convert/responses/response-memory.ts'
import { describeApiOnce } from './http/api-document.ts'
import { createServer } from './http/app.ts'
import { disableFailed } from './manage/channel-guard.ts'
import { scheduleTestRounds } from './manage/channel-test-round.ts'
import { createGatewayEvents } from './manage/gateway-events.ts'
import type { GatewayAddress, GatewayParts } from './manage/gateway-parts.ts'
import { removeOldCalls } from './manage/old-calls.ts'
import { Rounds } from './manage/rounds.ts'
import type { Options } from './options.ts'
import { KeyTurns } from './relay/channel-keys.ts'
import { OpenCalls } from './relay/open-calls.ts'
import { RequestLimits } from './relay/request-limit.ts'
import { Reservations } from './relay/reserve.ts'
import { createChannels } from './store/channels.ts'
import { openFolder } from './store/folder.ts'
import { openLedger } from './store/ledger.ts'
import { createSecretBox } from './store/secret-box.ts'
import { type KeyWrap, loadSecretKey } from './store/secret-key.ts'
import { createSessions } from './store/sessions.ts'
import { createSettings } from './store/settings.ts'
import { StartError } from './store/start-error.ts'
import { openState, type StateFile } from './store/state.ts'
import { createTokens } from './store/tokens.ts'
import { createUsers } from './store/users.ts'
import { version } from './version.ts'

export interface GatewayOptions extends Options {
  /** Folder of the built console. */
  rendererFolder: string
  openStateFile(folder: string): StateFile
  keyWrap?: KeyWrap
  env: NodeJS.ProcessEnv
  electronVersion?: string
  /** Payment providers at other addresses than their own, such as a scripted one. */
  payments?: GatewayParts['payments']
  log: Log
}

export interface RunningGateway {
  url: string
  port: number
  parts: GatewayParts
  /** Lets calls under way finish for a moment, ends the rest honestly, and closes the stores. */
  close(): Promise<void>
}

/** Calls that are still under way after this many milliseconds are ended. */
const DRAIN = 3_000
/** The longest time, in milliseconds, in which a slow client may take what was written to it. */
const SENDING = 800
/** Milliseconds between two looks at whether it has. */
const PAUSE = 40
/** How many ports after the default one are tried. */
const PORTS_TO_TRY = 20

function listenOn(server: http.Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** The named port or nothing; the default one or the next that is free. */
async function listen(server: http.Server, options: Options): Promise<number> {
  const { host, port, portIsNamed } = options
  for (let tried = 0; ; tried++) {
    try {
      return await listenOn(server, host, port + tried)
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && !portIsNamed && tried < PORTS_TO_TRY) continue
      const why =
        code === 'EADDRINUSE'
          ? `port ${port} on ${host} is taken by ${portHolder(port) ?? 'another program'}. Stop it, or start with another port (--port).`
          : code === 'EACCES'
            ? `this user may not listen on port ${port}. Use a port above 1023 (--port).`
            : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
              ? `the host "${host}" is no address of this machine (--host).`
              : message
      throw new StartError(`Switchyard cannot listen: ${why}`, { cause })
    }
  }
}

const HOUR = 3_600_000

/** Opens the stores, listens, and gives the running gateway; throws StartError with a clear sentence. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { log, env } = options
  const folder = openFolder(options.dataFolder)
  const opened: (() => void)[] = [() => folder.release()]
  try {
    const key = loadSecretKey(folder, env, options.keyWrap)
    const box = createSecretBox(key)
    const state = openState(options.openStateFile(folder.path))
    const ledger = await openLedger(folder.file('ledger.db'))
    opened.push(() => ledger.close())
    const events = createGatewayEvents()
    const address: GatewayAddress = { host: options.host, port: options.port, url: '' }
    const parts: GatewayParts = {
      state,
      users: createUsers(state, box),
      channels: createChannels(state, box),
      tokens: createTokens(state, box),
      sessions: createSessions(state),
      settings: createSettings(state, box),
      ledger,
      openCalls: new OpenCalls(),
      reservations: new Reservations(),
      requestLimits: new RequestLimits(),
      keyTurns: new KeyTurns(),
      onFailedAttempt: (failed) => disableFailed(failed, parts),
      reasoning: new ReasoningMemory(),
      responses: new ResponseMemory(),
      events,
      rounds: new Rounds(),
      log,
      version,
      startedAt: unixSeconds(),
      dataFolder: folder.path,
      sessionSecret: createHmac('sha256', key).update('session cookie').digest('hex'),
      electron: options.electronVersion ?? null,
      payments: options.payments ?? {},
      address: () => address,
      apiDocument: () => describeApiOnce(version),
    }
    ledger.onRecorded(() => events.emit('calls'))
    const pruning = setInterval(() => removeOldCalls(parts), HOUR).unref()
    opened.push(() => clearInterval(pruning))
    removeOldCalls(parts)
    opened.push(scheduleTestRounds(parts))
    const server = createServer(parts, options.rendererFolder)
    const connections = new Set<Socket>()
    server.on('connection', (socket) => {
      // An upgrade that is passed over gives the server its connection again.
      if (connections.has(socket)) return
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
    })
    address.port = await listen(server, options)
    const shown = options.host.includes(':') ? `[${options.host}]` : options.host
    address.url = `http://${shown}:${address.port}`
    folder.announce(address.url)
    return {
      url: address.url,
      port: address.port,
      parts,
      close: once(() => stop(server, connections, parts, opened)),
    }
  } catch (error) {
    for (const close of opened.reverse()) close()
    throw error
  }
}

/** Waits until all that was written has left this process, at the latest after `limit` milliseconds. */
async function whenSent(connections: ReadonlySet<Socket>, limit: number): Promise<void> {
  const until = performance.now() + limit
  // A moment in any case: a call is booked before its last words are written.
  do await timers.setTimeout(PAUSE)
  while (
    performance.now() < until &&
    [...connections].some(({ writableLength }) => writableLength > 0)
  )
}

async function stop(
  server: http.Server,
  connections: ReadonlySet<Socket>,
  parts: GatewayParts,
  opened: readonly (() => void)[],
): Promise<void> {
  const stopping = new GatewayError('shutting_down', {
    message: 'The gateway is stopping. Try again in a moment.',
  })
  // Listening ends, no more: HTTP's own `close` takes a connection for idle, and cuts it, as soon as the
  // end of its answer was written, however much of that has still to be sent.
  NetServer.prototype.close.call(server)
  // A connection that is kept open for a call under way may bring another one after it.
  parts.openCalls.refuseNew(stopping)
  parts.rounds.stop()
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  await parts.openCalls.whenEmpty(DRAIN)
  parts.openCalls.interruptAll(stopping)
  await parts.openCalls.whenEmpty(500)
  await whenSent(connections, SENDING)
  // What is left is kept open, silent, or read by nobody; WebSockets are none of the server's any more.
  server.closeAllConnections()
  for (const connection of connections) connection.destroy()
  server.close()
  for (const close of [...opened].reverse()) close()
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= run()
    return running
  }
}
