import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { cutAtRandom } from '../clients/cut-at-random.ts'

/** The upstream's answer to one request. Without `body` and `chunks` the body is empty. */
export interface Reply {
  /** 200 when left out. */
  status?: number
  /** `content-type` is JSON for an object, else an event stream for chunks, else plain text. */
  headers?: Record<string, string | string[]>
  /** Sent whole, with its content-length; an object as JSON. */
  body?: string | Buffer | object
  /** Sent one after another, chunked. */
  chunks?: readonly (string | Buffer)[]
  /** Milliseconds before the headers. */
  delay?: number
  /** Waited for before a whole answer, or before a stream's last chunk. */
  until?: Promise<unknown>
  /** Milliseconds between two chunks. */
  pause?: number
  /** The body or chunks joined and cut again at the random byte positions of this seed. */
  cutSeed?: number
  /** Compressed as one gzip body, before any cutting. */
  gzip?: boolean
  /**
   * How it ends, when not as it should: no headers ever; the connection reset before headers; cut
   * after the last chunk, without the end of the body; or left open and silent after it.
   */
  ending?: 'hang-before-headers' | 'reset-before-headers' | 'cut' | 'hang'
}

export interface RecordedRequest {
  method: string
  /** Path and query as they came. */
  url: string
  headers: IncomingMessage['headers']
  /** Names and values as they came on the wire, one after the other. */
  rawHeaders: string[]
  /** The body's bytes as they came. */
  body: Buffer
  /** The body read as JSON. */
  json(): unknown
  /** Body bytes handed to the connection so far: stands still while nobody reads them. */
  sentBytes: number
  /** Resolves when the answer is out (`done`) or the connection went away before (`gone`). */
  ended: Promise<'done' | 'gone'>
}

export type Handler = (request: RecordedRequest, index: number) => Reply | Promise<Reply>

export interface ScriptedUpstream {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  url: string
  /** All requests in the order in which their bodies were complete. */
  requests: RecordedRequest[]
  /** The newest request; throws when there is none. */
  last(): RecordedRequest
  /** Replies for the next requests, one each, before the handler is asked. */
  script(...replies: Reply[]): void
  close(): Promise<void>
}

/**
 * A vendor played over real HTTP on a free port of 127.0.0.1: it records every request and answers
 * what it was told. A request that nothing was scripted for gets a 500 that says so.
 */
export async function startUpstream(handler?: Handler): Promise<ScriptedUpstream> {
  const requests: RecordedRequest[] = []
  const scripted: Reply[] = []
  const server = createServer(async (incoming, outgoing) => {
    try {
      const request = await record(incoming, outgoing)
      const index = requests.push(request) - 1
      const reply = scripted.shift() ?? (await handler?.(request, index)) ?? unscripted(request)
      await send(reply, request, outgoing)
    } catch (error) {
      // A client that left is an ending the tests look at; anything else is a fault of the test.
      if (!incoming.destroyed && !outgoing.headersSent) outgoing.writeHead(500).end(String(error))
      else outgoing.destroy()
    }
  })
  server.keepAliveTimeout = 60_000
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    last() {
      const request = requests.at(-1)
      if (!request) throw new Error('The upstream got no request.')
      return request
    },
    script: (...replies) => scripted.push(...replies),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const unscripted = (request: RecordedRequest): Reply => ({
  status: 500,
  body: { error: { message: `No reply was scripted for ${request.method} ${request.url}.` } },
})

async function record(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<RecordedRequest> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  const body = Buffer.concat(parts)
  return {
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body,
    json: () => JSON.parse(body.toString('utf8')),
    sentBytes: 0,
    ended: new Promise((resolve) => {
      outgoing.on('close', () => resolve(outgoing.writableFinished ? 'done' : 'gone'))
    }),
  }
}

async function send(
  reply: Reply,
  request: RecordedRequest,
  outgoing: ServerResponse,
): Promise<void> {
  if (reply.delay) await sleep(reply.delay)
  if (!reply.chunks) await reply.until
  if (reply.ending === 'hang-before-headers') return
  if (reply.ending === 'reset-before-headers') {
    outgoing.socket?.resetAndDestroy()
    return
  }

  const { pieces, type, whole } = bodyOf(reply)
  outgoing.writeHead(reply.status ?? 200, {
    ...(type && { 'content-type': type }),
    ...(reply.gzip && { 'content-encoding': 'gzip' }),
    ...(whole && { 'content-length': String(whole.length) }),
    ...reply.headers,
  })
  outgoing.flushHeaders()
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && reply.pause) await passed(reply.pause)
    if (reply.chunks && index === pieces.length - 1) await reply.until
    if (outgoing.destroyed) return
    const mayGoOn = outgoing.write(piece)
    request.sentBytes += piece.length
    if (!mayGoOn) await drained(outgoing)
  }
  if (reply.ending === 'hang') return
  if (reply.ending === 'cut') {
    // Let what was written reach the other side, so that the cut comes after it.
    await sleep(20)
    outgoing.destroy()
    return
  }
  outgoing.end()
}

/** After a time, and after what was sent before it could be read, however long the process stood still. */
async function passed(milliseconds: number): Promise<void> {
  await sleep(milliseconds)
  for (let turns = 0; turns < 3; turns++) await immediate()
}

/** Resolves when more can be written, or nobody is left to write to. */
const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done)
      resolve()
    }
    outgoing.on('drain', done).on('close', done)
  })

/** The body in the pieces to send, its default type, and its bytes when it has a content-length. */
function bodyOf(reply: Reply): { pieces: Buffer[]; type: string | null; whole: Buffer | null } {
  const { body, chunks, gzip, cutSeed, ending } = reply
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
  const type = isJson
    ? 'application/json'
    : chunks
      ? 'text/event-stream'
      : body === undefined
        ? null
        : 'text/plain'
  let pieces: Buffer[] = (
    chunks ?? (body === undefined ? [] : [isJson ? JSON.stringify(body) : body])
  ).map((piece) => Buffer.from(piece as string))
  if (gzip) pieces = [gzipSync(Buffer.concat(pieces))]
  const bytes = Buffer.concat(pieces)
  if (cutSeed !== undefined) pieces = cutAtRandom(bytes, cutSeed)
  // A body that is cut or left hanging must not look complete by its length.
  return { pieces, type, whole: chunks || ending ? null : bytes }
}
