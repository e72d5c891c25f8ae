import type { ServerResponse } from 'node:http'
import type { Answer, AnswerSink } from '../../relay/call/answer.ts'
import { REQUEST_ID } from '../request-id.ts'

function sinkOf(response: ServerResponse): AnswerSink & { hasWritten: boolean } {
  return {
    hasWritten: false,
    write(chunk) {
      this.hasWritten = true
      return response.write(chunk)
    },
    end: () => {
      response.end()
    },
    fail: () => {
      response.destroy()
    },
    onDrain: (listener) => {
      response.on('drain', listener)
    },
  }
}

/** Up to this size a body goes out in one piece with its head, which saves a system call's worth. */
const SMALL = 16 * 1024

/** (11) An Answer onto the wire; a client that leaves cancels what is still coming. */
export function writeAnswer(answer: Answer, response: ServerResponse, id: string): void {
  const { body, headers } = answer
  headers[REQUEST_ID] = id
  if (Buffer.isBuffer(body)) {
    headers['content-length'] = String(body.length)
    response.writeHead(answer.status, headers)
    // As Latin-1 every byte stays itself, and Node joins head and body when both are text.
    if (body.length <= SMALL) response.end(body.toString('latin1'), 'latin1')
    else response.end(body)
    return
  }
  response.on('close', () => {
    if (!response.writableEnded) body.cancel()
  })
  if (response.destroyed) {
    body.cancel()
    return
  }
  response.socket?.setNoDelay(true)
  response.writeHead(answer.status, headers)
  const sink = sinkOf(response)
  body.pipeTo(sink)
  // Mostly the first event is there and has taken the head along; a slow one must not hold it up.
  if (!sink.hasWritten) response.flushHeaders()
}
