import type { SecretBox } from './secret-box.ts'

/** Sealed fields of the state, opened once each however often the records are read. */
export interface SealedText {
  /** '' for an empty field, null when it cannot be opened. */
  open(sealed: string): string | null
  /** Keeps the sealed text when the plain one has not changed. */
  seal(plain: string, before?: string): string
}

export function createSealedText(box: SecretBox): SealedText {
  const opened = new Map<string, string | null>()
  let { version } = box
  const open = (sealed: string): string | null => {
    if (sealed === '') return ''
    if (version !== box.version) {
      version = box.version
      opened.clear()
    }
    let plain = opened.get(sealed)
    if (plain === undefined) {
      plain = box.open(sealed)
      opened.set(sealed, plain)
    }
    return plain
  }

  return {
    open,
    seal(plain, before) {
      if (plain === '') return ''
      if (before !== undefined && open(before) === plain) return before
      const sealed = box.seal(plain)
      opened.set(sealed, plain)
      return sealed
    },
  }
}
