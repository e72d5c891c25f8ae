import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Cancellation } from '../../base/cancellation.ts'
import { GatewayError } from '../../base/errors.ts'
import type { FrameSocket } from '../../base/net/frame-socket.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import { admitCaller } from '../../relay/1-admit/admit-caller.ts'
import { refuseWhilePaused } from '../../relay/1-admit/pause.ts'
import { namedModel } from '../../relay/call/asked-model.ts'
import { type Call, type Caller, ownerOf } from '../../relay/call/call.ts'
import { clientLeft } from '../../relay/call/client-left.ts'
import type { RelayServices } from '../../relay/relay-services.ts'
import { openRealtime } from '../../relay/session/realtime-session.ts'
import { ResponsesSession } from '../../relay/session/responses-session.ts'
import { hopesForResponsesSocket, socketNotServed } from '../../relay/session/session-channels.ts'
import type { RequestRecord } from '../refusal/refusal-recorder.ts'

/** Milliseconds for which a client is kept to HTTP. */
const KEPT = 10 * 60_000

/**
 * Callers that asked over a WebSocket for what is served over HTTP only. Codex tries the WebSocket again
 * five times after an error in a message, but goes on over HTTP at once when the upgrade itself is answered
 * with 426: so its next one is.
 */
class HttpOnlyCallers {
  readonly #until = new Map<string, number>()

  note(owner: string): void {
    this.#until.set(owner, performance.now() + KEPT)
  }

  has(owner: string): boolean {
    const until = this.#until.get(owner)
    if (until === undefined) return false
    if (until > performance.now()) return true
    this.#until.delete(owner)
    return false
  }
}

/** An upgrade whose caller is known. */
export interface Upgrade {
  request: IncomingMessage
  socket: Socket
  path: string
  query: URLSearchParams
  caller: Caller
  /** The id that the answer carries. */
  id: string
  record: RequestRecord
  /** Answers with 101 and these headers; null where the client cannot be joined any more. */
  accept(headers: Readonly<Record<string, string | string[]>>): FrameSocket | null
}

/** Names under which clients put a key, or what the gateway decides, into the query; in small letters. */
const OWN_QUERY = new Set(['key', 'api-key', 'authorization', 'model', 'deployment'])

function queryOf(query: URLSearchParams): string {
  const passed = new URLSearchParams(query)
  for (const name of [...passed.keys()]) {
    if (OWN_QUERY.has(name.toLowerCase())) passed.delete(name)
  }
  return passed.toString()
}

/** A browser can set no header: it asks for the beta's messages by a subprotocol. */
function headersOf({ headers }: IncomingMessage): IncomingHttpHeaders {
  const offered = headers['sec-websocket-protocol'] ?? ''
  const asksBeta = offered.split(',').some((one) => one.trim() === 'openai-beta.realtime-v1')
  return asksBeta ? { 'openai-beta': 'realtime=v1', ...headers } : headers
}

/**
 * The model chooses the channel. Only a key that names its channel may leave it out, to join a call that
 * goes on or to transcribe.
 */
function modelOf({ query, caller }: Upgrade): string {
  const named = [...query.keys()].filter((name) => name.toLowerCase() === 'model')
  if (named.length > 1) {
    throw new GatewayError('invalid_request', {
      message: 'model: is in the URL twice. Send it once.',
      reason: { code: 'model_twice' },
      field: 'model',
    })
  }
  const model = query.get('model') ?? ''
  const isElsewhere = query.has('call_id') || query.get('intent') === 'transcription'
  if (model !== '' || (isElsewhere && caller.pinnedChannel !== null)) return model
  throw new GatewayError('invalid_request', {
    message: isElsewhere
      ? 'model: is required here too, since it chooses the channel: add &model=… to the URL, or use a key that names its channel (sk-<key>-<channel id>).'
      : 'model: is required: add ?model=… to the URL, with a model that GET /v1/models lists.',
    reason: { code: isElsewhere ? 'model_missing_for_channel' : 'model_missing_in_url' },
    field: 'model',
  })
}

/** GET /v1/realtime: the upstream is asked first, so that what is refused is refused in HTTP. */
export async function serveRealtime(upgrade: Upgrade, parts: RelayServices): Promise<void> {
  const { request, socket, path, query, caller, id } = upgrade
  const cancellation = new Cancellation()
  const leave = () => cancellation.cancel(clientLeft())
  socket.once('close', leave)
  const named = namedModel(caller.token, modelOf(upgrade))
  const receivedAt = performance.now()
  const capture = parts.captures.begin({
    ...{
      id,
      receivedAt,
      format: 'realtime',
      model: named.model,
      method: 'GET',
      url: request.url ?? path,
    },
    ...{ userId: caller.user.id, tokenId: caller.token?.id ?? 0, headers: request.rawHeaders },
  })
  const call: Call = {
    id,
    receivedAt,
    capture,
    format: 'realtime',
    verb: 'generate',
    path,
    ...named,
    stream: true,
    asArray: false,
    body: new JsonFields(Buffer.from('{}')),
    form: null,
    headers: headersOf(request),
    query: queryOf(query),
    caller,
    group: null,
    origin: '',
    cancellation,
  }
  upgrade.record.isRelayed = true
  const session = await openRealtime(call, parts)
  socket.off('close', leave)
  const client = upgrade.accept(session.headers)
  if (client) session.start(client)
  else session.abandon()
}

/** GET /v1/responses: served where one of the caller's channels takes it, else 426 and so over HTTP. */
export function createResponsesSocket(parts: RelayServices): (upgrade: Upgrade) => void {
  const httpOnly = new HttpOnlyCallers()
  return function serveResponses(upgrade) {
    const { request, path, query, caller } = upgrade
    if (parts.openCalls.refusal) throw parts.openCalls.refusal
    admitCaller(caller)
    refuseWhilePaused(parts)
    const owner = ownerOf({ caller })
    if (httpOnly.has(owner) || !hopesForResponsesSocket(caller, parts)) {
      throw socketNotServed({
        message: `${path} is not served over a WebSocket here.`,
        reason: { code: 'path_over_http', path },
      })
    }
    const client = upgrade.accept({})
    if (!client) return
    const facts = { path, headers: headersOf(request), query: queryOf(query), caller }
    new ResponsesSession(facts, client, parts, () => httpOnly.note(owner))
  }
}
