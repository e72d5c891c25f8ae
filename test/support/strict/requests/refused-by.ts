import { Refusal } from './refusal.ts'

/** What a check says against a request: `path: sentence`, or null when it has nothing against it. */
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
