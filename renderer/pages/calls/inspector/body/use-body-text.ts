import { useEffect, useRef, useState } from 'react'
import { type Action, useAction } from '../../../../gateway/queries.ts'
import type { CapturedBody } from '../capture/capture-record.ts'

/** Bytes of a body that is read whole without being asked for. */
const READ_WHOLE = 2 * 1024 * 1024

export interface BodyText {
  /** As far as it was read. */
  text: string
  /** Is `text` all that crossed the border? */
  isWhole: boolean
  /** Is `text` all that was kept? */
  isAtEnd: boolean
  /** Reads the next part. */
  readMore(): void
  /** Reads all that is left. */
  readAll(): void
  action: Action<'capture.body'>
}

/** A body's text: its beginning, then the parts that are asked for. */
export function useBodyText(requestId: string, border: string, body: CapturedBody): BodyText {
  const action = useAction('capture.body')
  const beginning = body.text ?? ''
  const [read, setRead] = useState({ text: beginning, next: beginning.length as number | null })
  const isCut = body.kept < body.size
  const mayRead = body.text !== null && !body.is_whole
  const isAtEnd = !mayRead || read.next === null

  const readUntil = async (wantsAll: boolean) => {
    let { text, next } = read
    do {
      if (next === null) return
      const reply = await action.run({ request_id: requestId, border, offset: next })
      if (!reply) return
      text += reply.data.text ?? ''
      next = reply.data.next
      setRead({ text, next })
    } while (wantsAll)
  }

  // A tree of half a body shows half of its images: small bodies are read whole at once.
  const begins = useRef(mayRead && body.kind === 'json' && body.size <= READ_WHOLE)
  const begin = useRef(() => readUntil(true))
  const { cancel } = action
  useEffect(() => {
    if (begins.current) void begin.current()
    return cancel
  }, [cancel])

  return {
    text: read.text,
    isWhole: isAtEnd && !isCut,
    isAtEnd,
    readMore: () => void readUntil(false),
    readAll: () => void readUntil(true),
    action,
  }
}
