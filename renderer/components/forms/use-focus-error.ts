import { type RefObject, useEffect, useRef } from 'react'
import type { CallFailure } from '../../gateway/call-failure.ts'

/** Focuses the refused field, so that its message is in view; a list that is refused as a whole has `data-refused`. */
export function useFocusError(failure: CallFailure | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!failure?.field) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-refused]')?.focus()
  }, [failure])
  return form
}
