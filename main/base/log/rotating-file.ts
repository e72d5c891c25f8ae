import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const LARGEST = 2 * 1024 * 1024
const FILES = 5
/** Milliseconds until a file that could not be written is tried again. */
const PAUSE = 30_000

/** One folder in one that is there: Node's `recursive` never returns where that refuses with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * A file of lines for its owner only (0600), of at most 2 MB; what is full is kept as `.1` to `.4`. A line that
 * cannot be written is lost: nothing may fail because it cannot be told.
 */
export class RotatingFile {
  readonly path: string
  #file: number | null = null
  #size = 0
  #notBefore = 0

  constructor(path: string) {
    this.path = path
    this.#guard(() => this.#open())
  }

  /** Is there a file at all? */
  get isOpen(): boolean {
    return this.#file !== null
  }

  write(line: string): void {
    if (performance.now() < this.#notBefore) return
    this.#guard(() => {
      if (this.#file === null) this.#open()
      if (this.#size >= LARGEST) this.#rotate()
      if (this.#file !== null) this.#size += writeSync(this.#file, line)
    })
  }

  close(): void {
    const file = this.#file
    this.#file = null
    this.#notBefore = Infinity
    if (file !== null) closeSync(file)
  }

  #open(): void {
    makeFolder(dirname(this.path))
    this.#file = openSync(this.path, 'a', 0o600)
    this.#size = fstatSync(this.#file).size
  }

  #rotate(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
    rmSync(`${this.path}.${FILES - 1}`, { force: true })
    for (let number = FILES - 2; number >= 0; number--) {
      const from = number === 0 ? this.path : `${this.path}.${number}`
      try {
        renameSync(from, `${this.path}.${number + 1}`)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
    this.#open()
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch {
      this.#notBefore = performance.now() + PAUSE
    }
  }
}
