import type { Foreign } from '../transfer.ts'

/** A row by its columns. */
export type Row = ReadonlyMap<string, string | number | null>

/** Rows by the names of their tables. */
export type Tables = ReadonlyMap<string, readonly Row[]>

/** A program that keeps its configuration in SQLite. Its file is opened elsewhere; here are only rows. */
export interface DatabaseImporter {
  /** That of its importer of texts. */
  id: string
  /** The tables that it reads. */
  tables: readonly string[]
  /** Are these tables of that program? */
  detect(rows: Tables): boolean
  /** Throws as `Importer.read`. */
  read(rows: Tables): Foreign
}
