import { Refusal } from './refusal.ts'

/** A check's objection to a request as `path: sentence`; null if it has none. */
export function refusedBy(check: () => void): string | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof Refusal) return `${error.path}: ${error.message}`
    throw error
  }
}

/** A one-pixel PNG, plain base64. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
