import { copyFileSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { StateFile } from './state.ts'
import { StateText } from './state-text.ts'

/** The part of conf and electron-store that is used: setting `store` replaces the whole file. */
export interface WholeStore {
  store: Record<string, unknown>
}

/** Passed to conf for writing: bytes that are ready. */
interface ReadyText {
  bytes: Buffer
  /** With its own property there, conf does not read the old file before it writes the new one. */
  __internal__: null
}

/** Conf's type asks for a string, its writer takes bytes just as well, and much faster. */
const serialize = (ready: unknown): string => (ready as ReadyText).bytes as unknown as string

/** Options for conf and electron-store; both also need the file's name, `configName` or `name`. */
export const stateFileOptions = (folder: string) => ({
  cwd: folder,
  fileExtension: 'json',
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
  serialize,
  // Conf reads the file when it is opened. Its reading must not fail where ours (state.ts) has a message
  // for a person.
  deserialize: () => ({}),
})

export const STATE_NAME = 'state'

/**
 * The state file over conf or electron-store, which `open` makes at the first write.
 *
 * Their writer (atomically) takes a short write for a whole one: on a disk that fills up half-way it
 * puts a cut file in the place of the good one and reports success. So the old file is kept under a
 * second name while it writes, the size is checked, and a cut file is replaced by the old one again.
 */
export function createStateFile(folder: string, open: () => WholeStore): StateFile {
  const path = join(folder, `${STATE_NAME}.json`)
  const before = `${path}.before`
  const text = new StateText()
  let store: WholeStore | undefined

  return {
    path,
    write(data) {
      store ??= open()
      removeLeftovers(path)
      const had = keepUnder(before, path)
      try {
        const bytes = text.of(data)
        const ready: ReadyText = { bytes, __internal__: null }
        store.store = { ...ready }
        if (statSync(path).size !== bytes.length) {
          throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' })
        }
      } catch (error) {
        if (had) renameSync(before, path)
        else rmSync(path, { force: true })
        removeLeftovers(path)
        throw error
      }
      rmSync(before, { force: true })
    },
  }
}

/** Gives the file a second name, without needing room for a second copy where links exist. */
function keepUnder(before: string, path: string): boolean {
  try {
    linkSync(path, before)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS') throw error
    copyFileSync(path, before)
    return true
  }
}

/** A process that was killed while it wrote leaves a half file, with secrets in it. */
function removeLeftovers(path: string): void {
  const folder = dirname(path)
  const prefix = `${basename(path)}.`
  for (const name of readdirSync(folder)) {
    const isLeftover =
      name.startsWith(prefix) && /^(before|tmp-[0-9a-f]+)$/.test(name.slice(prefix.length))
    if (isLeftover) rmSync(join(folder, name), { force: true })
  }
}
