import type { Foreign, Importer } from '../transfer.ts'
import type { ForeignKey } from './carried.ts'

/** Gives the value of a variable that a file names; undefined where it isn't known or may not be read. */
export type Variables = (name: string) => string | undefined

/** None: a file from elsewhere must not draw a secret out of this process. */
export const noVariables: Variables = () => undefined

/** An importer that can be told the values of variables, for files found on this machine. */
export interface ImporterWithVariables extends Importer {
  read(text: string, variables?: Variables): Foreign
}

/** The key that a variable holds, or the variable's name for the report. */
export function keyIn(name: string, variables: Variables): ForeignKey {
  const key = variables(name)?.trim() ?? ''
  return key === '' ? { key: '', variable: name } : { key }
}

/** A key as it is written: in clear, or all of it one `$NAME` or `${NAME}`. */
export function dollarKey(text: string, variables: Variables): ForeignKey {
  const name = /^\$(?:\{([^{}]+)\}|([A-Z_][A-Z0-9_]*))$/.exec(text)
  return name ? keyIn(name[1] ?? name[2] ?? '', variables) : { key: text }
}
