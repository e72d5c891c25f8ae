import type { Json, KeyPath } from '../tool.ts'

/** A form of configuration files. Texts come without a byte order mark. */
export interface TextFormat {
  /** Value of a whole file; an empty file is an empty object. Throws `BrokenFile`. */
  parse(text: string): Json
  /** Sets one key of a valid text, or removes it where the value is undefined. Throws `NotEditable`. */
  set(text: string, path: KeyPath, value: Json | undefined): string
}
