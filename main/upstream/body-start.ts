import { type Ticking, ticker } from '../base/ticker.ts'
import { bodyOf, type UpstreamBody } from './body.ts'

/** A body's beginning, whatever its label: server-sent events, a JSON array, or anything else. */
export type BodyStart = 'events' | 'array' | 'other'

/** A byte order mark, as Latin-1, and blanks. */
const BLANK = /^(?:\xef\xbb\xbf)?\s*/
/** How a line of an event stream begins; a comment has no name before the colon. */
const FIELDS = ['data:', 'event:', 'id:', 'retry:', ':']
/** Bytes that are looked at. */
const LOOKED_AT = 1024

/** The kind that bytes begin like; null where there are too few to tell. */
export function startOf(bytes: Buffer): BodyStart | null {
  const text = bytes.toString('latin1', 0, LOOKED_AT).replace(BLANK, '')
  if (text.startsWith('[')) return 'array'
  if (FIELDS.some((field) => text.startsWith(field))) return 'events'
  return bytes.length < LOOKED_AT && FIELDS.some((field) => field.startsWith(text)) ? null : 'other'
}

/**
 * A body's beginning, and the body with nothing taken away. `start` is null where it said too little within
 * `patience` milliseconds. Rejects with what the body breaks by before that.
 */
export function readStart(
  body: UpstreamBody,
  patience: number,
): Promise<{ start: BodyStart | null; body: UpstreamBody }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const until = performance.now() + patience
    const finish = (start: BodyStart | null) => {
      ticker.remove(waiting)
      body.unread()
      body.unshift(chunks)
      resolve({ start, body })
    }
    const waiting: Ticking = {
      slot: -1,
      tick: (now) => {
        if (now >= until) finish(null)
      },
    }
    ticker.add(waiting)
    body.read({
      onChunk(chunk) {
        chunks.push(chunk)
        const start = startOf(Buffer.concat(chunks))
        if (start) finish(start)
      },
      onEnd() {
        ticker.remove(waiting)
        resolve({ start: 'other', body: bodyOf(Buffer.concat(chunks)) })
      },
      onError(error) {
        ticker.remove(waiting)
        reject(error)
      },
    })
  })
}
