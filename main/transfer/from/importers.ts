import type { Importer } from '../transfer.ts'

/** The foreign formats, in the order in which a file is tried against them. */
export const importers: readonly Importer[] = []
