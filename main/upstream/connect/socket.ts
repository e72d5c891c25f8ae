import type { ClientRequest, IncomingMessage } from 'node:http'
import type { buildConnector } from 'undici'
import { WebSocket } from 'ws'
import type { Cancellation } from '../../base/cancellation.ts'
import { GatewayError } from '../../base/errors.ts'
import { redact, redactBytes } from '../../base/log/redact.ts'
import type { SecretFinder } from '../../base/log/secret-finder.ts'
import {
  type FrameListener,
  type FrameSocket,
  type RawSocket,
  SOCKET_OPTIONS,
  TOO_LARGE,
  WireSocket,
} from '../../base/net/frame-socket.ts'
import { upstreamFailure } from '../failure.ts'
import { InformationalCount } from '../informational.ts'
import type { UpstreamHeaders } from '../request.ts'
import { withoutSecrets } from '../withheld-secrets.ts'
import type { CheckAddress } from './checked-lookup.ts'
import { chooseConnector, type ProxyChoice } from './choose-connector.ts'
import type { CheckThrough } from './connector.ts'
import { type TimeLimits, timeFailure, usualLimits } from './time-limits.ts'

export interface SocketRequest {
  /** `ws:` or `wss:`. */
  url: string
  headers: Record<string, string>
  /** Gives the attempt up; the promise then rejects with its reason. */
  cancellation: Cancellation
  /** As of requests. */
  proxy?: ProxyChoice
  limits?: Pick<TimeLimits, 'connect'>
  /** As of requests. */
  checkAddress?: CheckAddress | undefined
  checkThrough?: CheckThrough | undefined
  /** Taken out of every message, but for those that were sent there in one. */
  secrets?: readonly SecretFinder[]
}

/** Result of an upgrade: a socket, or the refusal with its body. */
export interface SocketAnswer {
  /** 101 where there is a socket. */
  status: number
  headers: UpstreamHeaders
  socket: FrameSocket | null
  /** Body of the HTTP answer; empty for a 101. */
  body: Buffer
}

/** Milliseconds from the connection to the upstream's answer. */
const HANDSHAKE_LIMIT = 15_000
/** More of a refusal's body than this is not read. */
const BODY_LIMIT = 1024 * 1024

/** Says why it closes where ws itself refuses a message for its size. */
class UpstreamWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === 1009 ? TOO_LARGE : undefined))
  }
}

/** Bytes that an event has at most which says what is wrong. */
const LONGEST_ERROR = 16 * 1024

/**
 * Vendors quote the key that they refuse, here in an event or in their goodbye, and some in other messages. All else
 * comes as it is.
 */
class UpstreamSocket extends WireSocket {
  #secrets: readonly SecretFinder[]

  constructor(raw: RawSocket, secrets: readonly SecretFinder[]) {
    super(raw)
    this.#secrets = secrets
  }

  override send(data: Buffer, isBinary: boolean): boolean {
    // The client knows its own words.
    if (this.#secrets.some((secret) => secret.isIn(data)))
      this.#secrets = this.#secrets.filter((secret) => !secret.isIn(data))
    return super.send(data, isBinary)
  }

  override listen(listener: FrameListener): void {
    super.listen({
      onFrame: (data, isBinary) => {
        let filtered = data
        for (const secret of this.#secrets) filtered = secret.replace(filtered)
        const isError =
          !isBinary && filtered.length <= LONGEST_ERROR && filtered.includes('"error"')
        listener.onFrame(isError ? redactBytes(filtered) : filtered, isBinary)
      },
      onDrain: () => listener.onDrain(),
      onEnd: (end) => {
        // A reason holds 123 bytes, so that a vendor may have cut its key there.
        const reason = withoutSecrets(Buffer.from(end.reason), this.#secrets).toString()
        listener.onEnd({ ...end, reason: redact(reason) })
      },
    })
  }
}

function readRefusal(response: IncomingMessage, secrets: readonly SecretFinder[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      if (size < BODY_LIMIT) chunks.push(chunk)
      size += chunk.length
      if (size >= BODY_LIMIT) response.destroy()
    })
    response.on('close', () => resolve(redactBytes(withoutSecrets(Buffer.concat(chunks), secrets))))
    response.on('error', reject)
  })
}

/** Makes the connections of `node:http` in the way that all connections to upstreams are made. */
function connectionMaker(
  { url, proxy = null, limits = usualLimits, checkAddress, checkThrough }: SocketRequest,
  onConnected: () => void,
): ConnectionMaker {
  const { protocol, host, hostname, port } = new URL(url)
  const connector = chooseConnector({
    proxy,
    connectLimit: limits.connect,
    check: checkAddress,
    checkThrough,
  })
  const place = {
    protocol: protocol === 'wss:' ? 'https:' : 'http:',
    host,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
  }
  return (_options, callback) =>
    connector(place, (...result) => {
      if (!result[0]) onConnected()
      callback(...result)
    })
}

/** Called by `node:http` for a connection; its types know only the synchronous form. */
type ConnectionMaker = (options: unknown, callback: buildConnector.Callback) => void

/** Begins to connect; throws `upstream_unreachable` for headers that cannot be written. */
function connect(
  request: SocketRequest,
  onConnected: () => void,
  onInvalid: (error: GatewayError) => void,
): UpstreamWebSocket {
  const { url, headers } = request
  const informational = new InformationalCount()
  const finishRequest = (handshake: ClientRequest) => {
    handshake.on('information', () => {
      const tooMany = informational.add()
      if (tooMany) onInvalid(tooMany)
    })
    handshake.end()
  }
  try {
    const createConnection = connectionMaker(request, onConnected) as never
    return new UpstreamWebSocket(url, {
      headers,
      createConnection,
      finishRequest,
      ...SOCKET_OPTIONS,
    })
  } catch (error) {
    throw upstreamFailure(error, url)
  }
}

const noAnswer = (url: string): GatewayError =>
  timeFailure(url, {
    message: `did not answer the WebSocket upgrade within ${HANDSHAKE_LIMIT / 1000} seconds`,
    reason: { code: 'upstream_upgrade_late', seconds: HANDSHAKE_LIMIT / 1000 },
  })

/**
 * Opens a WebSocket; a redirect is given as it is, never followed. Rejects with `upstream_unreachable`,
 * `upstream_timeout` (no connection within its limit, or no answer within 15 seconds more) or the cancellation's reason.
 */
export function openSocket(request: SocketRequest): Promise<SocketAnswer> {
  const { url, cancellation } = request
  return new Promise((resolve, reject) => {
    let isDecided = false
    let timer: NodeJS.Timeout | undefined
    const raw = connect(
      request,
      () => {
        if (!isDecided) timer = setTimeout(() => fail(noAnswer(url)), HANDSHAKE_LIMIT)
      },
      (error) => fail(error),
    )
    const decide = (act: () => void): void => {
      if (isDecided) return
      isDecided = true
      clearTimeout(timer)
      cancellation.listen(null)
      act()
    }
    const fail = (error: GatewayError): void =>
      decide(() => {
        reject(error)
        raw.terminate()
      })
    let upgraded: UpstreamHeaders = {}
    raw.on('upgrade', (response) => {
      upgraded = response.headers
    })
    raw.on('open', () =>
      decide(() => {
        const socket = new UpstreamSocket(raw, request.secrets ?? [])
        resolve({ status: 101, headers: upgraded, socket, body: Buffer.alloc(0) })
      }),
    )
    raw.on('unexpected-response', (_request, response) => {
      const { statusCode: status = 0, headers } = response
      readRefusal(response, request.secrets ?? []).then(
        (body) =>
          decide(() => {
            resolve({ status, headers, socket: null, body })
            raw.terminate()
          }),
        (error) => fail(upstreamFailure(error, url)),
      )
    })
    // An aborted attempt tells of an error too, which nobody waits for any more.
    raw.on('error', (error) => fail(handshakeFailure(error, url)))
    cancellation.listen((reason) => fail(reason))
  })
}

/** ws gives the reasons for which an upgrade is none as plain errors. */
function handshakeFailure(error: Error & { code?: unknown }, url: string): GatewayError {
  if (error.code !== undefined) return upstreamFailure(error, url)
  const problem = `does not speak WebSocket as expected: ${error.message}.`
  return new GatewayError('upstream_invalid', {
    message: `The upstream ${problem}`,
    reason: { code: 'upstream_websocket_wrong', problem: error.message },
    adminMessage: `The upstream at ${new URL(url).origin} ${problem}`,
    adminAddress: new URL(url).origin,
    cause: error,
  })
}
