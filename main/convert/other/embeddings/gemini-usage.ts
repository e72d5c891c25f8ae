import type { Usage } from '../../exchange.ts'
import { decodeUsage } from '../../generate-content/answer/usage-metadata.ts'
import { asObject } from '../../json/json-value.ts'

/**
 * Usage of Gemini's answers with embeddings, whose shares by modality stand in `promptTokenDetails`, where
 * generateContent says `promptTokensDetails`. Null where it tells none, as older models do not.
 */
export function readGeminiUsage(metadata: unknown): Usage | null {
  const wire = asObject(metadata)
  return decodeUsage(wire && { promptTokensDetails: wire.promptTokenDetails, ...wire })
}
