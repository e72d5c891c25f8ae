import { flagTypes } from '../../options.ts'

const known: Readonly<Record<string, { type: 'string' | 'boolean' }>> = flagTypes

/** As people misspell flags: `--dataDir`, `--data_dir`, `--PORT`. */
const plain = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()
const plainNames = new Set(Object.keys(flagTypes).map(plain))

/**
 * The flags that are ours, in the words of the command line: Electron and Chromium have theirs among them. A
 * misspelled one is among them, so that it is refused and not left to Chromium, which takes any.
 */
export function ownFlags(argv: readonly string[]): string[] {
  const own: string[] = []
  for (let at = 1; at < argv.length; at++) {
    const flag = argv[at] ?? ''
    if (flag === '--') break
    const [, name = '', value] = /^--([\w-]+)(=.*)?$/s.exec(flag) ?? []
    if (flag !== '-h' && !plainNames.has(plain(name))) continue
    own.push(flag)
    const next = argv[at + 1]
    if (known[name]?.type !== 'string' || value !== undefined || next === undefined) continue
    own.push(next)
    at++
  }
  return own
}
