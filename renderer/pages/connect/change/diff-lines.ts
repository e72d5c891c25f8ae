export interface DiffLine {
  /** `gap` stands for lines that are left out between two places. */
  kind: 'added' | 'removed' | 'kept' | 'gap'
  text: string
}

const kinds: Readonly<Record<string, DiffLine['kind']>> = {
  '+': 'added',
  '-': 'removed',
  ' ': 'kept',
}

/** The lines of a unified diff of one file, without its heads. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = []
  let isInHunk = false
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) {
      if (isInHunk) lines.push({ kind: 'gap', text: '' })
      isInHunk = true
      continue
    }
    // "\ No newline at end of file", and the empty text after the last line end.
    const kind = kinds[line.charAt(0)]
    if (isInHunk && kind) lines.push({ kind, text: line.slice(1).replace(/\r$/, '') })
  }
  return lines
}
