import type { Json, KeyPath } from '../tool.ts'

/** A form of configuration files. Texts come without a byte order mark. */
export interface TextFormat {
  /** Value of a whole file; an empty file is an empty object. Throws `BrokenFile`. */
  parse(text: string): Json
  /** Sets one key of a valid text, or removes it where the value is undefined. Throws `NotEditable`. */
  set(text: string, path: KeyPath, value: Json | undefined): string
  /** Where the inside of an empty object or list stands; null where there is none. Left out where it can't be laid out. */
  insideOf?(text: string, path: KeyPath): [from: number, to: number] | null
}
