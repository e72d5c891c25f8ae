import type { BaseWindow, Dialog, MessageBoxOptions, MessageBoxReturnValue } from 'electron'
import { app } from './app.ts'

interface OpenBox {
  options: MessageBoxOptions
  hasParent: boolean
  answer(response: number): void
}

/** The boxes that wait for an answer; a test gives it by the button's label. */
const open: OpenBox[] = []

function showMessageBox(
  ...[first, second]: [BaseWindow, MessageBoxOptions] | [MessageBoxOptions]
): Promise<MessageBoxReturnValue> {
  app.onlyWhenReady('dialog.showMessageBox')
  const options = second ?? (first as MessageBoxOptions)
  const { cancelId = 0, signal } = options
  return new Promise((resolve) => {
    const box: OpenBox = {
      options,
      hasParent: second !== undefined,
      answer(response) {
        open.splice(open.indexOf(box), 1)
        resolve({ response, checkboxChecked: false })
      },
    }
    open.push(box)
    if (signal?.aborted) box.answer(cancelId)
    else signal?.addEventListener('abort', () => open.includes(box) && box.answer(cancelId))
  })
}

/** A dialog has nowhere to show itself: what it says goes to stderr, as Electron's does before `ready`. */
export const dialog: Pick<Dialog, 'showErrorBox' | 'showMessageBox'> & { open: OpenBox[] } = {
  open,
  showErrorBox(title, content) {
    process.stderr.write(`[error box] ${title}\n${content}\n`)
  },
  showMessageBox,
}
