import { Agent, type IncomingMessage, request } from 'node:http'
import type { WireFormat } from '../../main/convert/exchange.ts'

/** The answer as the client has it when nothing more comes. */
export interface SeenAnswer {
  /** 0 when no head came. */
  status: number
  headers: IncomingMessage['headers']
  body: string
  /** The body is only the end of what came: the rest was too much to keep. */
  isTail: boolean
  /** The body ended as HTTP says that it has to. */
  isWhole: boolean
  /** Nothing came for so long that the client has given up. */
  isHung: boolean
  /** It left before the end, as planned. */
  hasLeft: boolean
  milliseconds: number
}

export interface FaultyCall {
  url: string
  key: string
  client: WireFormat
  model: string
  stream: boolean
  /** Gemini's stream as one JSON array. */
  asArray?: boolean
  /** Milliseconds after which the client takes the call for hung; half a minute when left out. */
  patience?: number
  /** Told of each piece of the answer. */
  onBegin?(): void
  /** The question; something small when left out. */
  text?: string
  /** Milliseconds after which the client leaves, whatever has come. */
  leavesAfter?: number
  /** Whose connections are used; a new one for each call when left out, so that no call can hurt another. */
  agent?: Agent
}

const PATIENCE = 30_000
const MOST_KEPT = 4 * 1024 * 1024
const TAIL = 64 * 1024
/** A Responses stream ends with an event that holds all of its text. */
const LONGEST_EVENT = 16 * 1024 * 1024

const ownConnection = new Agent({ keepAlive: false, maxSockets: Infinity })

const google = (stream: boolean, asArray: boolean): string =>
  stream ? `streamGenerateContent${asArray ? '' : '?alt=sse'}` : 'generateContent'

/** Path and body of a small question in each format. */
export function questionOf({
  client,
  model,
  stream,
  asArray = false,
  text: content = 'How do you say hello in two languages?',
}: Omit<FaultyCall, 'url' | 'key'>): { path: string; body: object } {
  const messages = [{ role: 'user', content }]
  if (client === 'chat') return { path: '/v1/chat/completions', body: { model, stream, messages } }
  if (client === 'messages')
    return { path: '/v1/messages', body: { model, stream, max_tokens: 200, messages } }
  if (client === 'responses')
    return { path: '/v1/responses', body: { model, stream, store: false, input: content } }
  return {
    path: `/v1beta/models/${model}:${google(stream, asArray)}`,
    body: { contents: [{ role: 'user', parts: [{ text: content }] }] },
  }
}

/** Keeps what came; of very much only the end. */
class Kept {
  #chunks: Buffer[] = []
  #size = 0
  #most = MOST_KEPT
  isTail = false

  take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#most) return
    const all = Buffer.concat(this.#chunks)
    // Not the end of the very last one: that may be the event that holds all of the text, and it must stay whole.
    const event = all.lastIndexOf('\n\n', all.length - 3)
    const isKept = event >= 0 && all.length - event < LONGEST_EVENT
    const end = all.subarray(Math.min(isKept ? event : all.length, Math.max(0, all.length - TAIL)))
    this.#chunks = [Buffer.from(end)]
    this.#size = end.length
    this.#most = end.length + MOST_KEPT
    this.isTail = true
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}

/** Makes a call and takes what comes; never rejects. */
export function makeCall(call: FaultyCall): Promise<SeenAnswer> {
  const { path, body } = questionOf(call)
  const bytes = JSON.stringify(body)
  const began = performance.now()
  return new Promise((resolve) => {
    const kept = new Kept()
    let answer: IncomingMessage | null = null
    let isHung = false
    let hasLeft = false
    const finish = () => {
      clearTimeout(timer)
      clearTimeout(leaving)
      resolve({
        status: answer?.statusCode ?? 0,
        headers: answer?.headers ?? {},
        body: kept.text,
        isTail: kept.isTail,
        isWhole: answer?.complete ?? false,
        isHung,
        hasLeft: hasLeft && !(answer?.complete ?? false),
        milliseconds: performance.now() - began,
      })
    }
    const sent = request(
      call.url + path,
      {
        method: 'POST',
        agent: call.agent ?? ownConnection,
        headers: {
          authorization: `Bearer ${call.key}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(bytes),
          'anthropic-version': '2023-06-01',
        },
      },
      (incoming) => {
        answer = incoming
        incoming.on('data', (chunk: Buffer) => {
          kept.take(chunk)
          call.onBegin?.()
        })
        incoming.on('error', () => {})
        incoming.on('close', finish)
      },
    )
    const timer = setTimeout(() => {
      isHung = true
      sent.destroy()
    }, call.patience ?? PATIENCE)
    const leaving = setTimeout(() => {
      if (call.leavesAfter === undefined) return
      hasLeft = true
      sent.destroy()
    }, call.leavesAfter ?? PATIENCE)
    sent.on('error', () => {
      if (!answer) finish()
    })
    sent.end(bytes)
  })
}
