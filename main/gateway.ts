import { createHmac, randomBytes } from 'node:crypto'
import type http from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { unixSeconds } from './base/clock.ts'
import { randomText } from './base/ids.ts'
import { type Log, sinkOf } from './base/log/log.ts'
import { secrets } from './base/log/redact.ts'
import { createClientAddresses } from './base/net/client-address.ts'
import { portHolder } from './base/net/port-holder.ts'
import { closeAll } from './base/order/close-all.ts'
import { once } from './base/order/once.ts'
import { Vitals } from './base/vitals.ts'
import { CaptureDisk } from './capture/capture-disk.ts'
import { Captures } from './capture/captures.ts'
import { createServer } from './http/app.ts'
import { drain, followConnections } from './http/socket/drain.ts'
import { LoginCodes } from './manage/account/login-codes.ts'
import { LoginGate } from './manage/account/login-gate.ts'
import { removeOldCalls } from './manage/calls/old-calls.ts'
import { refusedSource } from './manage/calls/refused-source.ts'
import { disableFailed } from './manage/channels/channel-guard.ts'
import { reportHealth } from './manage/channels/maintenance/channel-health.ts'
import { scheduleRetests } from './manage/channels/maintenance/channel-retest.ts'
import { scheduleTestRounds } from './manage/channels/maintenance/channel-test-round.ts'
import { RetestPlan } from './manage/channels/maintenance/retest-plan.ts'
import { Rounds } from './manage/channels/maintenance/rounds.ts'
import { LocalAccess } from './manage/connect/local-access.ts'
import { openLocalAccess } from './manage/connect/open-local-access.ts'
import { thisMachine } from './manage/connect/this-machine.ts'
import type { DesktopCapabilities } from './manage/desktop/desktop-capabilities.ts'
import { UpdateCheck } from './manage/desktop/update-check.ts'
import { knownSecrets } from './manage/diagnostics/known-secrets.ts'
import { reportStorage } from './manage/diagnostics/report-storage.ts'
import type { GatewayAddress, GatewayParts } from './manage/gateway-parts.ts'
import { Incidents } from './manage/incidents/incidents.ts'
import { raiseRefusedKey } from './manage/incidents/of-channels.ts'
import { raiseUsedUp } from './manage/incidents/of-spending.ts'
import { createNotices } from './manage/notices/notify.ts'
import { notifyBooked } from './manage/notices/notify-booked.ts'
import { createGatewayEvents } from './manage/server/gateway-events.ts'
import { isOwnAddress, leadsHere } from './manage/server/own-address.ts'
import { UnnamedSessions } from './manage/sessions/unnamed-sessions.ts'
import { scheduleBackups } from './manage/transfer/backup/schedule-backups.ts'
import type { Options } from './options.ts'
import { Affinity } from './relay/channel/affinity.ts'
import { KeyTurns } from './relay/channel/channel-keys.ts'
import { Health } from './relay/circuit/health.ts'
import { CachedContents } from './relay/explicit-cache/cached-contents.ts'
import { BodyMemory } from './relay/limits/body-memory.ts'
import { CallSlots } from './relay/limits/call-slots.ts'
import { OpenCalls } from './relay/limits/open-calls.ts'
import { keepJournal, keepOpenCalls } from './relay/limits/open-journal.ts'
import { RequestLimits } from './relay/limits/request-limit.ts'
import { Reservations } from './relay/limits/reservations.ts'
import { TokenRates } from './relay/limits/token-rate.ts'
import { ReasoningMemory } from './relay/memory/reasoning-memory.ts'
import { ResponseMemory } from './relay/memory/response-memory.ts'
import { Translators } from './relay/translate/threads/translators.ts'
import { openFolder } from './store/folder/folder.ts'
import { StartError } from './store/folder/start-error.ts'
import type { Ledger } from './store/ledger/ledger.ts'
import { openLedger } from './store/ledger/open-ledger.ts'
import { createChannels } from './store/records/channels.ts'
import { createRoutes } from './store/records/routes.ts'
import { createSessions } from './store/records/sessions.ts'
import { createTokens } from './store/records/tokens.ts'
import { createUsers } from './store/records/users.ts'
import { RefusedRequests } from './store/refused/refused-requests.ts'
import { createKeyStorage } from './store/secret-key/key-storage.ts'
import type { KeyWrap } from './store/secret-key/key-wrap.ts'
import { openSecretKey } from './store/secret-key/open-secret-key.ts'
import { createSecretBox } from './store/secret-key/secret-box.ts'
import type { SecretKey } from './store/secret-key/secret-key.ts'
import { createSettings } from './store/state/settings.ts'
import { openState, type StateFile } from './store/state/state.ts'
import { wakeUp } from './upstream/connect/after-sleep.ts'
import { environmentProxy } from './upstream/proxy/environment-proxy.ts'
import { SystemProxies, type SystemProxySource } from './upstream/proxy/system-proxies.ts'
import { ExtraCertificates } from './upstream/tls/extra-certificates.ts'
import { trustContext } from './upstream/tls/trust.ts'
import { mayBeAsked, UserFetch } from './upstream/user-fetch.ts'
import { version } from './version.ts'

export interface GatewayOptions extends Options {
  /** Folder of the built console. */
  rendererFolder: string
  openStateFile(folder: string): StateFile
  keyWrap?: KeyWrap
  /** Knows the system's proxies; the environment's variables name them where it is left out. */
  systemProxy?: SystemProxySource
  env: NodeJS.ProcessEnv
  electronVersion?: string
  /** The desktop's abilities; absent headless. */
  desktop?: DesktopCapabilities
  /** The addresses that fetches of users' URLs may go to, in place of the public ones. */
  mayFetchFrom?: (address: string) => boolean
  /** Payment providers at other addresses than their own, such as a scripted one. */
  payments?: GatewayParts['payments']
  log: Log
}

export interface RunningGateway {
  url: string
  port: number
  parts: GatewayParts
  /** Lets running calls finish for a while (`drainSeconds`, else the option's), ends the rest with an error, and closes the stores. */
  close(drainSeconds?: number): Promise<void>
  /** While closing: ends the remaining calls now, each with an error. */
  hurry(): void
  /** Writes the usage of running calls before it returns: the next start books those that never end. */
  keepBooks(): void
  /** The computer slept for so many milliseconds, and the upstreams may have forgotten their connections. */
  wakeUp(slept: number): void
}

/** Seconds that running calls get by default. */
const DRAIN_SECONDS = 3
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
              ? `the host "${host}" isn't an address of this machine (--host).`
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
    const sink = env.SWITCHYARD_LOG_FILE === 'off' ? null : sinkOf(log)
    if (sink) opened.push(sink.keepIn(folder.file(join('logs', 'switchyard.log'))))
    for (const warning of folder.warnings) log.warn(warning)
    opened.push(() => log.info('the gateway has stopped'))
    const secretKey = await openSecretKey({
      storage: createKeyStorage(folder),
      wrap: options.keyWrap,
      env,
      log,
    })
    opened.push(() => secretKey.stop(), hideKey(secretKey))
    const box = createSecretBox(secretKey)
    const state = openState(options.openStateFile(folder.path))
    const ledger = await openLedger(folder.file('ledger.db'))
    opened.push(() => closeLedger(ledger, log))
    const events = createGatewayEvents()
    const settings = createSettings(state, box)
    const disk = new CaptureDisk(folder.file('captures.db'), box, settings, log)
    const captures = new Captures(settings, disk)
    opened.push(() => captures.close())
    const unnamedSessions = new UnnamedSessions(ledger, captures, log)
    opened.push(() => unnamedSessions.stop())
    const extraCertificates = new ExtraCertificates(() => settings.current.ExtraCaCertificates, log)
    opened.push(() => extraCertificates.stop())
    const refused = new RefusedRequests({ path: folder.file('refused.db'), settings, log })
    opened.push(() => refused.close())
    const systemProxies = options.systemProxy ? new SystemProxies(options.systemProxy) : null
    opened.push(() => systemProxies?.stop())
    const systemProxy = systemProxies ? () => systemProxies : environmentProxy
    const address: GatewayAddress = { host: options.host, port: options.port, url: '' }
    const updates = new UpdateCheck({ settings, systemProxy, events, log, version })
    const openCalls = new OpenCalls()
    const translators = new Translators(log)
    opened.push(() => translators.close())
    let connections: ReadonlySet<Socket> = new Set()
    const parts: GatewayParts = {
      state,
      users: createUsers(state, box),
      channels: createChannels(state, box),
      routes: createRoutes(state),
      tokens: createTokens(state, box),
      sessions: createSessions(state),
      logins: new LoginGate(),
      loginCodes: new LoginCodes(),
      settings,
      secretKey,
      systemProxy,
      extraCertificates,
      ledger,
      refused,
      openCalls,
      captures,
      slots: new CallSlots(() => settings.current, openCalls),
      translators,
      bodies: new BodyMemory(),
      reservations: new Reservations(),
      requestLimits: new RequestLimits(),
      tokenRates: new TokenRates(),
      keyTurns: new KeyTurns(),
      affinity: new Affinity(() => settings.current),
      health: new Health(() => settings.current),
      userFetch: new UserFetch({
        mayAsk: options.mayFetchFrom ?? mayBeAsked,
        ports: () => settings.current['fetch_setting.allowed_ports'],
        leadsHere: (url) => leadsHere(url, parts),
        ownPort: () => address.port,
        isOwnAddress,
      }),
      hopMark: randomText(12),
      notices: createNotices(log, () => parts),
      onBooked(call, row, warnings) {
        notifyBooked(call, row, warnings, parts)
        raiseUsedUp(call, row, warnings, parts)
        unnamedSessions.note(call, row)
      },
      onFailedAttempt(failed) {
        raiseRefusedKey(failed, parts)
        disableFailed(failed, parts)
      },
      cachedContents: new CachedContents(),
      reasoning: new ReasoningMemory(),
      responses: new ResponseMemory(),
      events,
      rounds: new Rounds(),
      incidents: new Incidents(),
      retests: new RetestPlan(),
      timeline: { refused: refusedSource(refused), captures },
      log,
      machine: thisMachine(env),
      localAccess: new LocalAccess(folder.path),
      version,
      startedAt: unixSeconds(),
      dataFolder: folder.path,
      sessionSecrets: [sessionSecretOf(secretKey)],
      electron: options.electronVersion ?? null,
      desktop: options.desktop ?? null,
      updates,
      vitals: new Vitals(),
      connections: () => connections.size,
      payments: options.payments ?? {},
      address: () => address,
      clients: createClientAddresses(() => settings.current.TrustedProxies, options.trustedProxies),
      apiDocument: async () =>
        (await import('./http/api/api-document.ts')).describeApiOnce(version),
    }
    opened.push(
      () => parts.vitals.stop(),
      secrets.follow({ version: () => state.data, list: () => knownSecrets(parts, env) }),
      secrets.follow({ version: () => box.version, list: () => knownSecrets(parts, env) }),
      secretKey.onChange(() => {
        if (secretKey.current) parts.sessionSecrets.unshift(sessionSecretOf(secretKey))
        secrets.learn()
        events.emit('server')
      }),
      state.onChange(() => secrets.learn()),
      state.onChange(() => events.emit('server')),
      state.onChange(() => extraCertificates.follow()),
      state.onChange(() => parts.cachedContents.followChannels(parts.channels)),
      keepJournal(openCalls, ledger),
      reportStorage(parts),
    )
    ledger.onRecorded((userIds) => events.emit('calls', userIds))
    refused.onAdded((userId) => events.emit('calls', [userId]))
    opened.push(() => parts.notices.stop())
    const pruning = setInterval(() => removeOldCalls(parts), HOUR).unref()
    opened.push(() => clearInterval(pruning))
    removeOldCalls(parts)
    opened.push(scheduleTestRounds(parts), scheduleRetests(parts), reportHealth(parts))
    opened.push(scheduleBackups(parts))
    if (options.desktop) opened.push(updates.schedule())
    const server = createServer(parts, options.rendererFolder)
    connections = followConnections(server)
    address.port = await listen(server, options)
    const shown = options.host.includes(':') ? `[${options.host}]` : options.host
    address.url = `http://${shown}:${address.port}`
    folder.announce(address.url)
    opened.push(openLocalAccess(parts))
    log.info({ url: address.url, version, node: process.versions.node }, 'the gateway listens')
    // Or the first call would wait for it.
    setImmediate(trustContext)
    const close = once(async (seconds?: number) => {
      const drainSeconds = seconds ?? options.drainSeconds ?? DRAIN_SECONDS
      log.info({ calls: openCalls.size }, 'the gateway stops')
      parts.rounds.stop()
      await drain(server, connections, openCalls, drainSeconds * 1000)
      closeAll(opened)
    })
    return {
      url: address.url,
      port: address.port,
      parts,
      close,
      hurry: () => openCalls.hurry(),
      keepBooks: () => keepOpenCalls(openCalls, ledger),
      wakeUp,
    }
  } catch (error) {
    try {
      closeAll(opened)
    } catch (err) {
      log.error({ err }, 'the gateway did not close cleanly')
    }
    throw error
  }
}

/** The key itself is one of the secrets that nobody may read. */
function hideKey(secretKey: SecretKey): () => void {
  const list = () => {
    const { current } = secretKey
    return current ? [current.toString('base64'), current.toString('hex')] : []
  }
  return secrets.follow({ version: () => secretKey.current, list })
}

/** While the key is locked, sessions can only be told apart by a secret that ends with the process. */
const sessionSecretOf = ({ current }: SecretKey): string =>
  createHmac('sha256', current ?? randomBytes(32))
    .update('session cookie')
    .digest('hex')

/** Writes what is left; says how many rows found no place at all. */
function closeLedger(ledger: Ledger, log: Log): void {
  ledger.close()
  const lost = ledger.rowsWaiting + ledger.rowsLost
  if (lost > 0) log.error({ lost }, 'rows of calls could not be written before the end')
}
