/** The file is no valid JSON, TOML or YAML. */
export class BrokenFile extends Error {
  /** Both from 1. */
  readonly line: number
  readonly column: number

  constructor(reason: string, line: number, column: number) {
    super(`${reason} at line ${line}, column ${column}`)
    this.name = 'BrokenFile'
    this.line = line
    this.column = column
  }

  static at(text: string, offset: number, reason: string): BrokenFile {
    const lines = text.slice(0, offset).split(/\r\n|\n|\r/)
    return new BrokenFile(reason, lines.length, (lines.at(-1)?.length ?? 0) + 1)
  }
}
