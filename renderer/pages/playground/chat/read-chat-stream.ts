import type { StreamEvent } from '../../../../preload/contract.ts'
import { createEventStreamReader } from '../../../gateway/event-stream.ts'
import {
  type AnswerFailure,
  type ErrorBody,
  parseObject,
  type Refusal,
  readRefusal,
  requestIdOf,
  toRefusal,
} from '../run/answer-failure.ts'

export interface ChatListener {
  onText(delta: string): void
  onReasoning(delta: string): void
  onUsage(usage: { input: number; output: number }): void
  /** Called exactly once, last. */
  onEnd(failure: AnswerFailure | null): void
}

interface ChatChunk {
  choices?: {
    delta?: { content?: string | null; reasoning_content?: string; reasoning?: string }
    finish_reason?: string | null
  }[]
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  error?: ErrorBody
}

/**
 * A reply is complete only with a finish reason or `[DONE]`.
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
export function createChatReader(listener: ChatListener): (event: StreamEvent) => void {
  let status: number | null = null
  let requestId: string | null = null
  let isEvents = false
  let isWhole = false
  let hasEnded = false
  let plain = ''
  const plainDecoder = new TextDecoder()

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
    const chunk = parseObject(data) as ChatChunk | null
    if (!chunk || hasEnded) return
    if (chunk.error) end({ problem: 'refused', ...toRefusal(chunk.error) })
    const choice = chunk.choices?.[0]
    if (choice?.delta?.content) listener.onText(choice.delta.content)
    const reasoning = choice?.delta?.reasoning_content ?? choice?.delta?.reasoning
    if (reasoning) listener.onReasoning(reasoning)
    if (choice?.finish_reason) isWhole = true
    if (chunk.usage) {
      listener.onUsage({ input: chunk.usage.prompt_tokens, output: chunk.usage.completion_tokens })
    }
  })

  return (event) => {
    switch (event.type) {
      case 'start':
        status = event.status
        requestId = requestIdOf(event.headers)
        isEvents =
          status < 400 && (event.headers['content-type'] ?? '').startsWith('text/event-stream')
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
