import type { Capture } from './capture.ts'

/** Captured calls, as those read them that show them. */
export interface CaptureReader {
  /** A call's capture by its request id; null where it is not kept, or not any more. */
  find(id: string): Capture | null
  /** Which of these calls have a capture. */
  has(ids: readonly string[]): Set<string>
}
