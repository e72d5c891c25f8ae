import type { Desktop } from './launch-desktop.ts'

/** A box that waits for an answer. */
export interface ShownBox {
  message: string
  detail: string | undefined
  buttons: string[]
  hasParent: boolean
}

interface StandInDialog {
  open: {
    options: { message: string; detail?: string; buttons: string[]; cancelId?: number }
    hasParent: boolean
    answer(response: number): void
  }[]
}

/** The stand-in's open boxes. */
export const openBoxes = (desktop: Desktop): Promise<ShownBox[]> =>
  desktop.evaluate(({ dialog }) => {
    const { open } = dialog as unknown as StandInDialog
    return open.map(({ options: { message, detail, buttons }, hasParent }) => ({
      message,
      detail,
      buttons,
      hasParent,
    }))
  }, null)

/** Clicks a button of the stand-in's box that was opened first. */
export const clickBox = (desktop: Desktop, label: string): Promise<void> =>
  desktop.evaluate(({ dialog }, wanted) => {
    const [box] = (dialog as unknown as StandInDialog).open
    const index = box?.options.buttons.indexOf(wanted) ?? -1
    if (index < 0) throw new Error(`No box has a button ${wanted}`)
    box?.answer(index)
  }, label)

/** Presses Escape in the stand-in's box that was opened first. */
export const pressEscape = (desktop: Desktop): Promise<void> =>
  desktop.evaluate(({ dialog }) => {
    const [box] = (dialog as unknown as StandInDialog).open
    if (!box) throw new Error('No box is open')
    // Electron's own default.
    box.answer(box.options.cancelId ?? 0)
  }, null)
