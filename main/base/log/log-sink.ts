import { redact } from './redact.ts'
import { RotatingFile } from './rotating-file.ts'

/** By this pino knows that it is to say which level a line has, in `lastLevel`, before it writes it. */
const WANTS_LEVEL: unique symbol = Symbol.for('pino.metadata') as never

/** The last lines that a bundle of facts shows. */
const LINES = 500

/**
 * Destination of log lines: stderr from its level on, and once a folder is known a file in it; the
 * last 500 are kept in memory. No line leaves it with a secret that this process knows.
 */
export class LogSink {
  readonly [WANTS_LEVEL] = true
  lastLevel = 0
  readonly #stderr: { write(line: string): unknown }
  readonly #stderrLevel: number
  readonly #lines: string[] = []
  #file: RotatingFile | null = null

  constructor(stderr: { write(line: string): unknown }, stderrLevel: number) {
    this.#stderr = stderr
    this.#stderrLevel = stderrLevel
  }

  /** Absolute; null where there is no file, or where it cannot be made. */
  get path(): string | null {
    return this.#file?.isOpen ? this.#file.path : null
  }

  write(line: string): void {
    const redacted = redact(line)
    if (this.lastLevel >= this.#stderrLevel) this.#stderr.write(redacted)
    this.#file?.write(redacted)
    this.#lines.push(redacted.trimEnd())
    if (this.#lines.length >= 2 * LINES) this.#lines.splice(0, LINES)
  }

  /** Writes all lines from now on to this file too; gives what ends that. */
  keepIn(path: string): () => void {
    const file = new RotatingFile(path)
    this.#file = file
    return () => {
      file.close()
      if (this.#file === file) this.#file = null
    }
  }

  /** The last lines, the oldest first. */
  recent(): string[] {
    return this.#lines.slice(-LINES)
  }
}
