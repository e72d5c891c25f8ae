import type {
  OperationInput,
  OperationName,
  PushedEvent,
  Reason,
  StreamEvent,
} from '../../preload/contract.ts'
import { CallFailure } from './call-failure.ts'
import type { GatewayClient, Reply } from './client.ts'
import { createPushedEvents } from './pushed-events.ts'
import { routes } from './routes.ts'

interface Envelope {
  success: boolean
  message?: string
  data?: unknown
  code?: string
  field?: string
  reason?: Reason
  [extra: string]: unknown
}

/** Uses fetch at the console's own origin, with the session in the cookie. */
export function createHttpClient(origin = ''): GatewayClient {
  const pushed = createPushedEvents(`${origin}/api/events`)
  return {
    transport: 'http',

    async call(name, input, signal) {
      const response = await send(origin, name, input, signal)
      const envelope = await readEnvelope(response)
      if (!response.ok || !envelope.success) throw toFailure(response, envelope)
      const { success: _success, message = '', data, ...extra } = envelope
      return { data, message, extra } as Reply<never>
    },

    stream(name, input, onEvent) {
      const controller = new AbortController()
      void relayStream(origin, name, input, onEvent, controller.signal)
      return () => controller.abort()
    },

    on: (event: PushedEvent, listener) => pushed.on(event, listener),
  }
}

async function send<Name extends OperationName>(
  origin: string,
  name: Name,
  input: OperationInput<Name>,
  signal?: AbortSignal,
): Promise<Response> {
  const { method, path } = routes[name]
  const fields: Record<string, unknown> = { ...input }
  const filledPath = path.replace(/:(\w+)/g, (_, field: string) => {
    const value = fields[field]
    delete fields[field]
    return encodeURIComponent(String(value))
  })
  const inQuery = method === 'GET' || method === 'DELETE'
  try {
    return await fetch(origin + filledPath + (inQuery ? toQuery(fields) : ''), {
      method,
      credentials: 'same-origin',
      headers: {
        // Proves a same-origin request: other origins may not set it.
        'x-requested-with': 'Switchyard',
        ...(inQuery ? {} : { 'content-type': 'application/json' }),
      },
      body: inQuery ? null : JSON.stringify(fields),
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallFailure({
      code: 'unreachable',
      message: 'The gateway does not answer. Is Switchyard still running?',
      status: 0,
    })
  }
}

function toQuery(fields: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null && value !== '') query.set(field, String(value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

async function readEnvelope(response: Response): Promise<Envelope> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Envelope
  } catch {
    const message = `The gateway answered ${response.status} without a readable body.`
    return { success: false, message, code: 'internal' }
  }
}

function toFailure(response: Response, envelope: Envelope): CallFailure {
  const { message, code = 'internal', field, reason, data } = envelope
  return new CallFailure({
    code,
    message: message || `The gateway answered ${response.status}.`,
    field,
    reason,
    status: response.status,
    data,
  })
}

async function relayStream<Name extends OperationName>(
  origin: string,
  name: Name,
  input: OperationInput<Name>,
  onEvent: (event: StreamEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await send(origin, name, input, signal)
    onEvent({
      type: 'start',
      status: response.status,
      headers: Object.fromEntries(response.headers),
    })
    const reader = response.body?.getReader()
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) break
      onEvent({ type: 'chunk', bytes: part.value })
    }
    onEvent({ type: 'end' })
  } catch (error) {
    if (signal.aborted) return
    const message =
      error instanceof CallFailure ? error.message : 'The connection broke before the reply ended.'
    onEvent({ type: 'error', message })
  }
}
