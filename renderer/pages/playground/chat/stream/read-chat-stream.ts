import type { StreamEvent } from '../../../../../preload/contract.ts'
import { createEventStreamReader } from '../../../../gateway/event-stream.ts'
import {
  type AnswerFailure,
  type ErrorBody,
  parseObject,
  type Refusal,
  readRefusal,
  requestIdOf,
  toRefusal,
} from '../../run/answer-failure.ts'
import type { WireFormat } from '../desk/chat-record.ts'
import { type ChatEvent, eventReaders } from './event-readers.ts'

export interface ChatListener {
  /** The call has its id. */
  onCall(requestId: string): void
  onEvent(event: Exclude<ChatEvent, { type: 'end' } | { type: 'error' }>): void
  /** Called exactly once, last. */
  onEnd(failure: AnswerFailure | null): void
}

/** Reads an answer in any wire format. It is complete only if the format's own end came. */
export function createChatReader(
  format: WireFormat,
  listener: ChatListener,
): (event: StreamEvent) => void {
  const readEvent = eventReaders[format]()
  const plainDecoder = new TextDecoder()
  let status: number | null = null
  let requestId: string | null = null
  let isEvents = false
  let isWhole = false
  let hasEnded = false
  let plain = ''

  const end = (failure: (Pick<AnswerFailure, 'problem'> & Partial<Refusal>) | null) => {
    if (hasEnded) return
    hasEnded = true
    listener.onEnd(failure && { message: null, code: null, ...failure, status, requestId })
  }

  const events = createEventStreamReader((data) => {
    if (data === '[DONE]') {
      isWhole = true
      return
    }
    const value = parseObject(data)
    if (!value || hasEnded) return
    for (const event of readEvent(value as Record<string, unknown>)) {
      if (event.type === 'end') isWhole = true
      else if (event.type === 'error') {
        end({ problem: 'refused', ...toRefusal(event.error as ErrorBody) })
      } else listener.onEvent(event)
    }
  })

  return (event) => {
    switch (event.type) {
      case 'start':
        status = event.status
        requestId = event.headers['x-switchyard-call'] ?? requestIdOf(event.headers)
        isEvents = (event.headers['content-type'] ?? '').startsWith('text/event-stream')
        if (requestId !== null) listener.onCall(requestId)
        break
      case 'chunk':
        if (isEvents) events.push(event.bytes)
        else plain += plainDecoder.decode(event.bytes, { stream: true })
        break
      case 'end':
        if (isEvents) {
          events.end()
          end(isWhole ? null : { problem: 'cut' })
        } else {
          end({ problem: 'refused', ...readRefusal(plain) })
        }
        break
      case 'error':
        end({ problem: 'cut', message: event.message })
        break
    }
  }
}
