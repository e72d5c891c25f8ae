import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createLog } from '../../../main/base/log/log.ts'
import type { Capture } from '../../../main/capture/capture.ts'
import { CaptureDisk } from '../../../main/capture/capture-disk.ts'
import { textForms } from '../../../main/capture/text-forms.ts'
import { type Database, sqliteDriver } from '../../../main/store/ledger/sqlite-driver.ts'
import { createSecretBox } from '../../../main/store/secret-key/secret-box.ts'
import { defaultSettings } from '../../../main/store/state/default-settings.ts'

/** A capture's bodies in lower case, between them a character that is in no text. */
interface Told {
  id: string
  told: string
}

/** Captures on disk, and what a search through all of them one by one finds. */
export class DiskCaptures {
  readonly folder = mkdtempSync(join(tmpdir(), 'switchyard-captures-'))
  readonly settings = { current: { ...defaultSettings, CaptureLevel: 'all' as const } }
  readonly #key: Buffer
  readonly #all: Told[]
  /** Sealed pieces that were opened. */
  opened = 0
  disk: CaptureDisk

  constructor(key: Buffer = randomBytes(32), all: readonly Told[] = []) {
    this.#key = key
    this.#all = [...all]
    this.disk = this.#open()
  }

  #open(): CaptureDisk {
    const box = createSecretBox({ current: this.#key })
    const counted = {
      sealBytes: box.sealBytes,
      openBytes: (sealed: Buffer) => {
        this.opened++
        return box.openBytes(sealed)
      },
    }
    return new CaptureDisk(this.path, counted, this.settings, createLog('silent'))
  }

  get path(): string {
    return join(this.folder, 'captures.db')
  }

  async write(captures: readonly Capture[]): Promise<void> {
    for (const capture of captures) {
      const { request, answer } = capture.client
      const bodies = [request.body, answer?.body].map((body) => Buffer.concat(body?.chunks ?? []))
      this.#all.push({ id: capture.id, told: bodies.join('\u0001').toLowerCase() })
    }
    for (const capture of captures) this.disk.write(capture.id, () => capture, 1)
    const last = captures.at(-1)?.id ?? ''
    await expect.poll(() => this.disk.has([last]), { timeout: 20_000 }).toEqual([last])
  }

  search(text: string, signal?: AbortSignal): Promise<string[]> {
    return this.disk.search(textForms(text), new Set(), 1000, signal)
  }

  /** Ids of captures on disk that contain the text, newest first. */
  searchOneByOne(text: string): string[] {
    const kept = new Set(this.disk.has(this.#all.map(({ id }) => id)))
    const forms = [text, JSON.stringify(text).slice(1, -1)].map((form) => form.toLowerCase())
    return this.#all
      .filter(({ id, told }) => kept.has(id) && forms.some((form) => told.includes(form)))
      .map(({ id }) => id)
      .reverse()
  }

  async expectSame(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      const found = await this.search(text)
      expect(found, JSON.stringify(text)).toEqual(this.searchOneByOne(text))
    }
  }

  /** Another one over the files as they are on the disk now, as after a SIGKILL. */
  copied(): DiskCaptures {
    const other = new DiskCaptures(this.#key, this.#all)
    for (const name of readdirSync(this.folder))
      cpSync(join(this.folder, name), join(other.folder, name))
    other.reopen()
    return other
  }

  /** Closes the file, and opens it again after a change of it. */
  reopen(change: (database: Database) => void = () => {}): void {
    this.disk.close()
    this.inFile(change)
    this.disk = this.#open()
  }

  /** Does something with the file itself. */
  inFile<Result>(work: (database: Database) => Result): Result {
    const { Database } = sqliteDriver()
    const database = new Database(this.path)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }

  /** Captures that lack a filter of their texts. */
  lacking(): number {
    return this.inFile((database) =>
      Number(
        database
          .prepare(
            `SELECT count(*) AS count FROM captures WHERE NOT EXISTS
               (SELECT 1 FROM text_blocks WHERE number BETWEEN first AND last)`,
          )
          .get()?.count,
      ),
    )
  }
}
