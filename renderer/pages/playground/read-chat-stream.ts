import type { StreamEvent } from '../../../preload/contract.ts'
import { createEventStreamReader } from '../../gateway/event-stream.ts'

export interface ChatFailure {
  /** The vendor's or the gateway's own sentence; null when the answer only broke off. */
  message: string | null
  /** HTTP status, or null when none came. */
  status: number | null
  code: string | null
  requestId: string | null
}

export interface ChatListener {
  onText(delta: string): void
  onReasoning(delta: string): void
  onUsage(usage: { input: number; output: number }): void
  /** Exactly once, as the last call. */
  onEnd(failure: ChatFailure | null): void
}

interface ChatChunk {
  choices?: {
    delta?: { content?: string | null; reasoning_content?: string; reasoning?: string }
    finish_reason?: string | null
  }[]
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  error?: ErrorBody
}

interface ErrorBody {
  message?: string
  code?: string | number | null
  type?: string
}

/**
 * Turns the events of a streamed chat call into what a page shows. A reply counts as whole only when
 * the upstream said that it was: with a finish reason or `[DONE]`.
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

  const end = (failure: { message: string | null; code?: string | null } | null) => {
    if (hasEnded) return
    hasEnded = true
    listener.onEnd(failure && { code: null, ...failure, status, requestId })
  }

  const events = createEventStreamReader((data) => {
    if (data === '[DONE]') {
      isWhole = true
      return
    }
    const chunk = parseObject(data) as ChatChunk | null
    if (!chunk || hasEnded) return
    if (chunk.error) end(toFailure(chunk.error))
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
        requestId = event.headers['x-oneapi-request-id'] ?? event.headers['x-request-id'] ?? null
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
          end(isWhole ? null : { message: null })
        } else {
          end(readRefusal(plain))
        }
        break
      case 'error':
        end({ message: event.message })
        break
    }
  }
}

function readRefusal(text: string): { message: string | null; code?: string | null } {
  const body = parseObject(text) as { error?: ErrorBody; message?: string; code?: string } | null
  if (body?.error) return toFailure(body.error)
  return { message: body?.message ?? (text.trim().slice(0, 500) || null), code: body?.code ?? null }
}

function toFailure(error: ErrorBody): { message: string | null; code: string | null } {
  // The gateway ends its own sentences with the request id, which the page shows by itself.
  const message = error.message?.replace(/ \(request id: \w+\)$/, '') ?? null
  return { message, code: String(error.code ?? error.type ?? '') || null }
}

function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
