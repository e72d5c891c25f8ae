import type { StreamEvent } from '../../../../preload/contract.ts'
import { readObject } from '../../../components/forms/read-object.ts'
import { createEventStreamReader } from '../../../gateway/event-stream.ts'

/** Names the new call; absent where nothing was sent. */
const REPLAY_ID = 'x-switchyard-replay'
/** Characters of an answer that is no text, which is shown as it came. */
const SHOWN = 20_000

/** A refusal, in words. */
export interface ReplayFailure {
  message: string
  /** Path of the refused field: `messages[0]`, `body`, `channel`; null where none is named. */
  field: string | null
}

/** A replay so far. */
export interface ReplayProgress {
  /** Request id of the new call; null until it is there, and where nothing was sent. */
  id: string | null
  status: number | null
  /** Bytes of the answer. */
  bytes: number
  /** Words of the answer as they come; empty for an answer in one piece. */
  text: string
}

export type ReplayEnd = ReplayProgress & { failure: ReplayFailure | null }

interface AnyEvent {
  type?: string
  choices?: { delta?: { content?: unknown }; text?: unknown }[]
  delta?: { text?: unknown } | string
  candidates?: { content?: { parts?: { text?: unknown; thought?: boolean }[] } }[]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The words that an event of any wire format brings; the inspector's reading has the whole answer later. */
function wordsOf(data: string): string {
  const { type, choices, delta, candidates } = readObject(data) as AnyEvent
  if (choices) return asText(choices[0]?.delta?.content ?? choices[0]?.text)
  if (candidates) {
    const parts = candidates[0]?.content?.parts ?? []
    return parts.map(({ text, thought }) => (thought ? '' : asText(text))).join('')
  }
  if (type === 'response.output_text.delta') return asText(delta)
  return delta !== undefined && typeof delta === 'object' ? asText(delta.text) : ''
}

/** The refusal in an answer of any wire format: all have `error.message`. */
function refusalIn(body: string, status: number): ReplayFailure {
  const { error, message } = readObject(body) as {
    error?: { message?: unknown; param?: unknown }
    message?: unknown
  }
  const text = asText(error?.message) || asText(message) || body.trim().slice(0, 500)
  return {
    // The page shows the request's id apart.
    message: text.replace(/ \(request id: \w+\)$/, '') || String(status),
    field: asText(error?.param) || fieldIn(text),
  }
}

/** Refusals of a wire format begin with the field: `messages[0]: must be an object.` */
const fieldIn = (message: string): string | null => /^([\w.[\]]+): /.exec(message)?.[1] ?? null

/** Reads a replay's events; `onEnd` is called once, last. */
export function createReplayReader(listener: {
  onProgress(progress: ReplayProgress): void
  onEnd(end: ReplayEnd): void
}): (event: StreamEvent) => void {
  const decoder = new TextDecoder()
  let progress: ReplayProgress = { id: null, status: null, bytes: 0, text: '' }
  let isStream = false
  let plain = ''

  const tell = (fields: Partial<ReplayProgress>) => {
    progress = { ...progress, ...fields }
    listener.onProgress(progress)
  }
  const events = createEventStreamReader((data) => {
    const words = wordsOf(data)
    if (words !== '') progress = { ...progress, text: progress.text + words }
  })

  return (event) => {
    if (event.type === 'start') {
      const { status, headers } = event
      isStream = (headers['content-type'] ?? '').startsWith('text/event-stream')
      tell({ status, id: headers[REPLAY_ID] ?? null })
    } else if (event.type === 'chunk') {
      if (isStream) events.push(event.bytes)
      else if (plain.length < SHOWN) plain += decoder.decode(event.bytes, { stream: true })
      tell({ bytes: progress.bytes + event.bytes.length })
    } else if (event.type === 'end') {
      events.end()
      const { status } = progress
      const failed = status !== null && status >= 400
      const failure = failed ? refusalIn(plain, status) : null
      const text = progress.text || (failed || isStream ? '' : plain)
      listener.onEnd({ ...progress, text, failure })
    } else {
      const { message } = event
      const withoutId = message.replace(/ \(request id: \w+\)$/, '')
      listener.onEnd({ ...progress, failure: { message: withoutId, field: fieldIn(message) } })
    }
  }
}
