import { GatewayError } from '../../base/errors.ts'
import { type Ticking, ticker } from '../../base/ticker.ts'
import type { StreamScanner } from '../../convert/events/stream-scanner.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { UpstreamBody } from '../../upstream/body.ts'
import { ErrorInAnswer } from '../failure/error-in-answer.ts'
import { checkWhole } from './check-whole.ts'

/** The scanner of a stream, as far as its first event. */
export type StartScanner = Pick<StreamScanner, 'hasBegun' | 'error' | 'isBinary' | 'push' | 'flush'>

/** A stream whose first event is there, or long in coming. */
export interface StreamStart {
  /** The rest of it. */
  readonly body: UpstreamBody
  /** The first chunks, as they came. */
  readonly chunks: readonly Buffer[]
  /** The scanner's output for them. */
  readonly bytes: Buffer
  /** All of a body that has ended by then; else null. */
  readonly whole: Buffer | null
}

/** Bytes without an event after which a stream counts as broken; pictures come in events of many megabytes. */
const START_LIMIT = 64 * 1024 * 1024

const endlessStart = () =>
  new GatewayError('upstream_invalid', {
    message: `The upstream sent ${START_LIMIT / 1024 / 1024} MiB of a stream without an event in it.`,
    reason: { code: 'upstream_without_event', mebibytes: START_LIMIT / 1024 / 1024 },
  })

const joined = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)

/**
 * Reads until a stream shows its first event, so that an error there can still become a real status or another
 * attempt. After `limit` milliseconds the answer is begun all the same, so that the client can be kept alive.
 */
function readStart(body: UpstreamBody, scanner: StartScanner, limit: number): Promise<StreamStart> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const scanned: Buffer[] = []
    let size = 0
    const until = performance.now() + limit
    // The limit for the first byte goes on until the first event.
    body.isAwaited = true
    const begin = () => {
      ticker.remove(waiting)
      body.unread()
      resolve({ body, chunks, bytes: joined(scanned), whole: null })
    }
    const fail = (error: unknown) => {
      ticker.remove(waiting)
      body.abort()
      reject(error)
    }
    const waiting: Ticking = {
      slot: -1,
      tick: (now) => {
        if (now >= until) begin()
      },
    }
    ticker.add(waiting)
    body.read({
      onChunk(chunk) {
        chunks.push(chunk)
        size += chunk.length
        try {
          scanned.push(scanner.push(chunk))
        } catch (error) {
          fail(error)
          return
        }
        if (scanner.hasBegun || scanner.error) {
          body.isAwaited = false
          begin()
        } else if (size > START_LIMIT) fail(endlessStart())
      },
      onEnd() {
        ticker.remove(waiting)
        resolve({ body, chunks, bytes: joined(scanned), whole: Buffer.concat(chunks) })
      },
      onError: fail,
    })
  })
}

/**
 * Waits for a stream's first event, up to `patience` milliseconds of silence. Throws the error that it holds, and
 * `upstream_cut` for a stream that ends without one.
 */
export async function firstEvent(
  body: UpstreamBody,
  scanner: StartScanner,
  channel: Channel,
  patience: number,
): Promise<StreamStart> {
  // No keep-alive can be put into sound, so that to begin its answer early would only spoil another try.
  const start = await readStart(body, scanner, scanner.isBinary ? Infinity : patience)
  const { whole } = start
  // An error of the vendor's, or a page, that is only called a stream.
  const isNone = whole !== null && /^\s*[[{<]/.test(whole.toString('latin1', 0, 100))
  if (whole && isNone && !scanner.hasBegun && !scanner.error) checkWhole(whole, [], channel)
  const last = whole && scanner.flush()
  if (scanner.error) {
    body.abort()
    throw new ErrorInAnswer(scanner.error, channel)
  }
  if (whole && !scanner.hasBegun) {
    throw new GatewayError('upstream_cut', {
      message: `The upstream of channel "${channel.name}" ended the stream before its first event.`,
      reason: { code: 'upstream_cut_before_event', channel: channel.name },
    })
  }
  return last ? { ...start, bytes: Buffer.concat([start.bytes, last]) } : start
}
