import { stringifyExact } from '../json/exact-json.ts'

/** Arguments as text; some vendors and clients send the object itself. */
export const argumentsText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : stringifyExact(value)
