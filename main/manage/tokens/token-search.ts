import { GatewayError } from '../../base/errors.ts'

/**
 * A test for "is this what was looked for": equal, or with `%` standing for any text. At most two `%`
 * and at least two other characters, so that nobody asks for everything by accident.
 */
export function matchesPattern(field: string, pattern: string): (text: string) => boolean {
  const wanted = pattern.trim()
  if (wanted === '') return () => true
  const parts = wanted.split('%')
  if (parts.length === 1) return (text) => text === wanted
  if (parts.length > 3) {
    throw new GatewayError('invalid_params', { message: 'Use at most two "%" in a search.', field })
  }
  if (parts.join('').length < 2) {
    throw new GatewayError('invalid_params', {
      message: 'A search with "%" needs at least two other characters.',
      field,
    })
  }
  const [start = '', ...rest] = parts
  const end = rest.pop() ?? ''
  return (text) => {
    if (!text.startsWith(start) || !text.endsWith(end)) return false
    const middle = text.slice(start.length, text.length - end.length)
    return text.length >= start.length + end.length && rest.every((part) => middle.includes(part))
  }
}
