import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { stateSchema } from './state-schema.ts'

const FILE = 'last-import.json'

/** Lists that an import may write. */
export const listNames = ['channels', 'tokens', 'routes', 'users', 'settings'] as const
export type ListName = (typeof listNames)[number]

const lists = stateSchema.pick({
  users: true,
  channels: true,
  tokens: true,
  routes: true,
  settings: true,
})
export type ImportedLists = z.infer<typeof lists>

/** As they come out of the state file: two that say the same are the same text. */
export const asRead = (given: ImportedLists): ImportedLists => lists.parse(given)

const schema = z.object({
  /** Of the state file. */
  version: z.int(),
  id: z.string(),
  /** Unix seconds. */
  at: z.int(),
  /** The format. */
  from: z.string(),
  applied: z.array(z.object({ part: z.string(), added: z.int(), changed: z.int() })),
  /** As they stood before; secrets are sealed as in the state file. */
  before: lists,
  /** Digests of what the import made of them. */
  after: z.record(z.enum(listNames), z.string()),
  /** Texts of the redemption codes that were added. */
  codes: z.array(z.string()),
})

/** The latest import, with the way back. */
export type LastImport = z.infer<typeof schema>

/** Keeps the latest import in a file of its own in the data folder, with mode 0600. */
export class LastImportFile {
  readonly #path: string

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, FILE)
  }

  /** Null where there is none, or one of another version of the state. */
  read(version: number): LastImport | null {
    if (!existsSync(this.#path)) return null
    try {
      const parsed = schema.safeParse(JSON.parse(readFileSync(this.#path, 'utf8')))
      return parsed.success && parsed.data.version === version ? parsed.data : null
    } catch {
      // Written by nobody but us; a damaged one is as good as none.
      return null
    }
  }

  write(last: LastImport): void {
    const draft = `${this.#path}.${process.pid}`
    try {
      writeFileSync(draft, JSON.stringify(last), { mode: 0o600, flush: true })
      renameSync(draft, this.#path)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}
