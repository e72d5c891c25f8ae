/** Matches a text that is not base64. */
const FOREIGN = /^=|[^A-Za-z0-9+/=]|=[^=]|===/

/** The pattern in the API document. */
export const BASE64 = '^[A-Za-z0-9+/]+={0,2}$'

/**
 * Does the text match `BASE64`? A loop over the text would fail from some 4 MB on: in a process that has compiled
 * many expressions V8 stops optimizing them, and then needs stack for every turn of a loop.
 */
export const isBase64 = (text: string): boolean => text !== '' && !FOREIGN.test(text)
