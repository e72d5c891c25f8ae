import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { GatewayError } from '../../base/errors.ts'
import { requestId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import type { ClientAddresses } from '../../base/net/client-address.ts'
import type { Reason } from '../../base/reason.ts'
import type { CallCapture } from '../../capture/call-capture.ts'
import type { Caller } from '../../relay/call/call.ts'
import type { RefusedRequest } from '../../store/refused/refused-request.ts'
import type { RefusedRequests } from '../../store/refused/refused-requests.ts'
import { keysOf } from '../model/identify.ts'
import { matchModelPath } from '../model/model-path.ts'
import { pathFamily } from '../model/path-family.ts'
import { type Refusal, refusalHint } from './refusal-hint.ts'
import { shownPath, shownText } from './shown-text.ts'

/** Facts of a request as they become known. */
export interface RequestRecord {
  /** Milliseconds, of `performance.now()`. */
  begun: number
  caller: Caller | null
  /** The model's name as it was asked for; empty while it isn't known. */
  model: string
  /** It became a call, whose row is the ledger's. */
  isRelayed: boolean
  /** Null while nothing is captured. */
  capture: CallCapture | null
}

export const newRequestRecord = (): RequestRecord => ({
  begun: performance.now(),
  caller: null,
  model: '',
  isRelayed: false,
  capture: null,
})

interface RecorderParts {
  refused: Pick<RefusedRequests, 'add'>
  clients: ClientAddresses
  address(): { url: string }
  log: Log
}

/** A request's head, or what could be read of it. */
export interface Head {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

const NO_QUERY = new URLSearchParams()

/** Pages and icons that a browser loads by itself aren't calls. */
const isLoadedByBrowser = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-fetch-dest'] ?? 'empty') !== 'empty'

/** Gives every request that was refused before it became a call its row. Never throws. */
export class RefusalRecorder {
  readonly #parts: RecorderParts
  /** Last recorded request by connection, so that a fault in its late body adds no second row. */
  readonly #noted = new WeakMap<Socket, IncomingMessage>()

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  /** Records a refusal; a relayed call has its row in the ledger already. */
  note(request: IncomingMessage, error: Refusal, id: string, record: RequestRecord): void {
    if (record.isRelayed || this.lastNoted(request.socket) === request) return
    this.#noted.set(request.socket, request)
    this.#add(this.#parts.clients.of(request), (ip) =>
      this.#rowOf(headOf(request), error, id, record, ip),
    )
  }

  lastNoted(socket: Socket): IncomingMessage | null {
    return this.#noted.get(socket) ?? null
  }

  /** For a call that is relayed while its body is still arriving. */
  leaveToLedger(request: IncomingMessage): void {
    this.#noted.set(request.socket, request)
  }

  /** Outside the model paths only unknown ones are recorded: tools call them with a wrong base URL. */
  noteUnknownPath(request: IncomingMessage, error: unknown, id: string): void {
    const isBroken = error instanceof URIError
    const isUnknown = error instanceof GatewayError && error.code === 'unknown_path'
    if (!(isBroken || isUnknown) || isLoadedByBrowser(request)) return
    const refusal: Refusal = isBroken
      ? {
          code: 'invalid_params',
          status: 400,
          message: 'The path has a broken % escape. Write a plain % as %25.',
          reason: { code: 'path_escape_broken' },
        }
      : error
    this.note(request, refusal, id, newRequestRecord())
  }

  /** Bytes that are no request. */
  noteUnread(socket: Socket, head: Head, refusal: Refusal): void {
    this.#add(socket.remoteAddress ?? '', (ip) =>
      this.#rowOf(head, refusal, requestId(), newRequestRecord(), ip),
    )
  }

  #add(ip: string, describe: (ip: string) => RefusedRequest): void {
    try {
      this.#parts.refused.add(ip, () => describe(ip))
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a refused request could not be kept')
    }
  }

  #rowOf(
    head: Head,
    refusal: Refusal,
    id: string,
    record: RequestRecord,
    ip: string,
  ): RefusedRequest {
    const { headers } = head
    const url = head.url.replace(/^https?:\/\/[^/?]*/i, '')
    const [path = '', ...rest] = url.split('?')
    const query = rest.length > 0 ? new URLSearchParams(rest.join('?')) : NO_QUERY
    const keys = keysOf(headers, query)
    const shown = (text: string): string => shownText(text, keys)
    const found = matchModelPath(path)
    const isModelPath = pathFamily(path) !== 'manage'
    const parts = { url: head.url, path, query, headers, keys }
    const hint = refusalHint(refusal, parts, isModelPath, this.#parts.address().url)
    const inPath = found && 'model' in found ? found.model : null
    return {
      requestId: id,
      time: Date.now(),
      method: shown(head.method),
      path: shownPath(url, keys),
      status: refusal.status,
      code: refusal.code,
      message: shown(refusal.message),
      hint: shown(hint?.message ?? ''),
      reason: coded(refusal.reason, shown),
      hintReason: coded(hint?.reason, shown),
      client: shown(headers['user-agent'] ?? ''),
      ip,
      tokenId: record.caller?.token?.id ?? 0,
      tokenName: record.caller?.token?.name ?? '',
      userId: record.caller?.user.id ?? 0,
      username: record.caller?.user.username ?? '',
      model: shown(record.model || inPath || (found ? (query.get('model') ?? '') : '')),
      format: found && 'format' in found ? found.format : '',
      duration: performance.now() - record.begun,
    }
  }
}

/** A reason as JSON, each of its texts as the client's own are shown; empty for none. */
const coded = (reason: Reason | undefined, shown: (text: string) => string): string =>
  reason === undefined
    ? ''
    : JSON.stringify(reason, (name, value: unknown) =>
        // A client's key may be a word of the code.
        typeof value === 'string' && name !== 'code' ? shown(value) : value,
      )

const headOf = ({ method = '', url = '', headers }: IncomingMessage): Head => ({
  method,
  url,
  headers,
})
