import type { Capture } from './capture.ts'

/** Reads captures; nothing in them tells a secret. */
export interface CaptureReader {
  /** Null where it's gone: the process started anew, newer ones took its place, or it was deleted. */
  find(id: string): Capture | null
  /** Those of these ids that have a capture. */
  has(ids: readonly string[]): Set<string>
}
