import { editOf } from '../desk/chat-desk.ts'
import type { Turn } from '../desk/chat-record.ts'
import { useDesk, useDeskState } from '../use-desk.ts'

/** The edit of a turn. It stands in the draft, so that a reload keeps it. */
export function useTurnEdit(column: string, turn: Turn) {
  const desk = useDesk()
  /** Undefined while it isn't edited. */
  const text = useDeskState(({ draft }) => draft.edits[editOf(column, turn.id)])
  const close = () => desk.setEdit(column, turn.id, null)
  return {
    text,
    open: () => desk.setEdit(column, turn.id, turn.text),
    editor: {
      first: turn.text,
      onChange: (typed: string) => desk.setEdit(column, turn.id, typed),
      onSave: (typed: string) => desk.edit(column, turn.id, typed),
      onClose: close,
    },
  }
}
