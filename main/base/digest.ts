import { hash } from 'node:crypto'

/** SHA-256 of a text as lower-case hex; for keys and short names, not for passwords. */
export const digest = (text: string): string => hash('sha256', text)
