import type { IncomingMessage, ServerResponse } from 'node:http'
import { Cancellation } from '../../base/cancellation.ts'
import { GatewayError } from '../../base/errors.ts'
import type { ClientAddresses } from '../../base/net/client-address.ts'
import type { CallCapture } from '../../capture/call-capture.ts'
import { bodyFormat } from '../../convert/check/body-format.ts'
import type { Codec, FormRule } from '../../convert/codec.ts'
import { codecOf } from '../../convert/codecs.ts'
import { requirePathModel } from '../../convert/generate-content/request/path-model.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import { admitKey } from '../../relay/1-admit/admit-caller.ts'
import { checkFormModels } from '../../relay/1-admit/check-models.ts'
import { ownNames } from '../../relay/call/asked-model.ts'
import type { Call, Caller } from '../../relay/call/call.ts'
import { clientLeft } from '../../relay/call/client-left.ts'
import { type FormBody, openForm } from '../../relay/call/open-form.ts'
import { relay } from '../../relay/relay.ts'
import type { RelayServices } from '../../relay/relay-services.ts'
import type { Tokens } from '../../store/records/tokens.ts'
import type { Users } from '../../store/records/users.ts'
import type { RefusalRecorder, RequestRecord } from '../refusal/refusal-recorder.ts'
import { meantPath, unknownPath } from '../refusal/unknown-path.ts'
import { identify } from './identify.ts'
import { answerModelList } from './model-list.ts'
import { type ModelPath, matchModelPath, socketOf } from './model-path.ts'
import { errorFamily, pathFamily } from './path-family.ts'
import { decodedBody, readBody } from './read-body.ts'
import { answerTokenQuota } from './token-quota.ts'
import { writeAnswer } from './write-answer.ts'
import { asGatewayError, writeError } from './write-error.ts'

/** Decoded size of a model call's body, in bytes. */
const BODY_LIMIT = 64 * 1024 * 1024

export interface ModelParts extends RelayServices {
  clients: ClientAddresses
  tokens: Tokens
  users: Users
  address(): { url: string }
}

type CallPath = Extract<ModelPath, { kind: 'call' }>

/** The query without the client's key, which is nobody else's business. */
function withoutKey(query: URLSearchParams | null): string {
  if (query === null) return ''
  query.delete('key')
  return query.toString()
}

function checkModel(model: unknown): string {
  if (typeof model === 'string' && model !== '') return model
  throw new GatewayError('invalid_request', {
    message:
      model === undefined || model === null || model === ''
        ? 'model: is required: the name of a model, as GET /v1/models lists it.'
        : 'model: must be a string.',
    reason: {
      code:
        model === undefined || model === null || model === '' ? 'model_missing' : 'model_no_text',
    },
    field: 'model',
  })
}

const FORM = /^multipart\/form-data\b/i
/** Body of a call that comes as a form. */
const NO_JSON = new JsonFields(Buffer.from('{}'))

/** Fields of a call that must be known before it is relayed. */
interface ReadCall {
  body: JsonFields
  form: FormBody | null
  model: string
  stream: boolean
}

async function readJsonCall(
  path: CallPath,
  request: IncomingMessage,
  record: RequestRecord,
  { bodies: memory, openCalls }: ModelParts,
): Promise<ReadCall> {
  const { capture } = record
  const onPiece = capture ? (piece: Buffer) => capture.sent(piece) : undefined
  const body = await readBody(request, BODY_LIMIT, memory, openCalls, onPiece)
  try {
    const codec = codecOf(bodyFormat(path.format, body))
    codec.guard.check(body)
    const model = checkModel(path.model ?? body.get('model'))
    record.model = model
    if (path.model !== null) requirePathModel(body, path.model)
    if (path.verb === 'generate') codec.checkRequest(body, request.headers)
    else codec.checkCount?.(body, request.headers)
    return { body, form: null, model, stream: path.streams || body.get('stream') === true }
  } catch (error) {
    memory.release(body.size)
    throw error
  }
}

/**
 * Waits only for the form's model name; the parts behind it are relayed as they arrive. If the gateway stops before
 * that, the client gets an error.
 */
async function readFormCall(
  rule: FormRule,
  codec: Codec,
  { token }: Caller,
  request: IncomingMessage,
  { openCalls }: ModelParts,
): Promise<ReadCall> {
  const check: FormRule['check'] = (fields) => {
    rule.check(fields)
    checkFormModels(token, fields)
  }
  const source = decodedBody(request, BODY_LIMIT)
  const form = openForm(source, request.headers, { ...rule, check }, codec)
  let unlisten = () => {}
  const refused = new Promise<never>((_, reject) => {
    unlisten = openCalls.onRefusal(reject)
  })
  try {
    const model = checkModel(await Promise.race([form.field('model'), refused]))
    return { body: NO_JSON, form, model, stream: false }
  } catch (error) {
    await form.close()
    throw error
  } finally {
    unlisten()
  }
}

function readCall(
  path: CallPath,
  caller: Caller,
  request: IncomingMessage,
  record: RequestRecord,
  parts: ModelParts,
): Promise<ReadCall> {
  const codec = codecOf(path.format)
  const rule = codec.form
  const isForm = FORM.test(request.headers['content-type'] ?? '')
  if (rule && (isForm || !rule.orJson)) {
    if (isForm) return readFormCall(rule, codec, caller, request, parts)
    throw new GatewayError('unsupported_media_type', {
      message: `Content-Type: this endpoint takes a form (multipart/form-data) with a file in ${rule.files.join(' or ')}.`,
      reason: { code: 'form_wanted', files: rule.files.join(' / ') },
      field: 'content-type',
    })
  }
  if (!isForm) return readJsonCall(path, request, record, parts)
  throw new GatewayError('unsupported_media_type', {
    message: `Content-Type: this endpoint takes JSON, not a form.`,
    reason: { code: 'json_wanted' },
    field: 'content-type',
  })
}

/** As `readCall`; what is wrong with the caller is told before what is wrong with the call. */
async function readAdmitted(
  path: CallPath,
  caller: Caller,
  request: IncomingMessage,
  record: RequestRecord,
  parts: ModelParts,
): Promise<ReadCall> {
  try {
    return await readCall(path, caller, request, record, parts)
  } catch (error) {
    // The relay checks the key of every call that could be read; only an unreadable one is checked here.
    if (!(error instanceof GatewayError && error.code === 'client_gone')) admitKey(caller, parts)
    throw error
  }
}

/** As `ownNames`; here, too, what is wrong with the caller comes first. */
function admittedNames(caller: Caller, model: string, body: JsonFields, parts: ModelParts) {
  try {
    return ownNames(caller.token, model, body)
  } catch (error) {
    admitKey(caller, parts)
    throw error
  }
}

/** Begins to capture a call whose caller is known: strangers could drive the others out. */
const captureOf = (
  { format, model }: CallPath,
  { user, token }: Caller,
  { method = 'POST', url = '/', rawHeaders }: IncomingMessage,
  id: string,
  { begun }: RequestRecord,
  { captures }: ModelParts,
): CallCapture | null =>
  captures.begin({
    id,
    receivedAt: begun,
    format,
    model: model ?? '',
    method,
    url,
    headers: rawHeaders,
    userId: user.id,
    tokenId: token?.id ?? 0,
  })

async function serveCall(
  path: CallPath,
  caller: Caller,
  query: URLSearchParams | null,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  record: RequestRecord,
  parts: ModelParts,
  refusals: RefusalRecorder,
): Promise<void> {
  const memory = parts.bodies
  const capture = captureOf(path, caller, request, id, record, parts)
  record.capture = capture
  const { body, form, model, stream } = await readAdmitted(path, caller, request, record, parts)
  if (form) capture?.sentForm(() => form.facts)
  const cancellation = new Cancellation()
  let held = form ? 0 : body.size
  const leave = () => {
    if (!response.writableEnded) cancellation.cancel(clientLeft())
    void form?.close()
    memory.release(held)
    held = 0
  }
  response.on('close', leave)
  // The client may have left just when the last of its call was read.
  if (response.destroyed) leave()
  const named = admittedNames(caller, model, body, parts)
  capture?.knowModel(named.model)
  const url = request.url ?? ''
  const call: Call = {
    id,
    receivedAt: record.begun,
    format: path.format,
    verb: path.verb,
    path: url.slice(0, url.includes('?') ? url.indexOf('?') : url.length),
    model: named.model,
    body: named.body,
    stream,
    asArray: path.streams && query?.get('alt') !== 'sse',
    form,
    headers: request.headers,
    query: withoutKey(query),
    caller,
    group: null,
    origin: '',
    cancellation,
    capture,
  }
  // A spread in the literal above costs each call a tenth of its time (test/bench/README.md).
  if (named.askedModel !== undefined) call.askedModel = named.askedModel
  if (named.askedBeside) call.askedBeside = named.askedBeside
  record.isRelayed = true
  if (form) refusals.leaveToLedger(request)
  writeAnswer(await relay(call, parts), response, id)
}

/** (3) Serves model calls and model lists; false when the path is not on the model side. */
export function createModelEndpoints(
  parts: ModelParts,
  refusals: RefusalRecorder,
): (
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  record: RequestRecord,
) => boolean {
  async function serve(
    found: ModelPath | null,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    record: RequestRecord,
  ): Promise<void> {
    const url = request.url ?? '/'
    const query = path.length < url.length ? new URLSearchParams(url.slice(path.length + 1)) : null
    const method = request.method ?? 'GET'
    if (!found) throw unknownPath(method, path, parts.address().url)
    const allowed = found.kind === 'call' ? 'POST' : 'GET'
    if ((method === 'GET' || method === 'HEAD') && socketOf(found)) {
      throw new GatewayError('upgrade_required', {
        message: `GET ${path} begins a WebSocket: send it with "Upgrade: websocket".`,
        reason: { code: 'path_begins_websocket', path },
      })
    }
    if (method !== allowed && !(allowed === 'GET' && method === 'HEAD')) {
      response.setHeader('allow', allowed)
      throw new GatewayError('method_not_allowed', {
        message: `${path} takes ${allowed}, not ${method}.`,
        reason: { code: 'path_takes', path, methods: allowed, method },
      })
    }
    const caller = identify(request, query, parts, parts.clients.of(request))
    record.caller = caller
    if (found.kind === 'call')
      await serveCall(found, caller, query, request, response, id, record, parts, refusals)
    else if (found.kind === 'token-quota') answerTokenQuota(found, caller, response, id, parts)
    else if (found.kind === 'model-list')
      answerModelList(found, caller, query, request, response, id, parts)
  }

  return function modelEndpoints(request, response, id, record) {
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const found = matchModelPath(path)
    if (!found && pathFamily(url) === 'manage') return false
    serve(found, path, request, response, id, record).catch((error: unknown) => {
      const failure = asGatewayError(error, id, parts.log)
      const { capture } = record
      const asked = found ? url : meantPath(path, parts.address().url) + url.slice(path.length)
      capture?.refuse()
      if (failure.code === 'client_gone') response.destroy()
      else writeError(response, failure, errorFamily(found, asked, request.headers), id, capture)
      refusals.note(request, failure, id, record)
    })
    return true
  }
}
