/** The shape of a model call on the wire, named for its endpoint. */
export type WireFormat = 'chat' | 'messages' | 'generate-content' | 'responses'

/**
 * What one model call used, in tokens. `input` counts everything that was read, the cached and the
 * newly cached parts included, whatever the vendor's own style; `output` includes `reasoning`.
 */
export interface Usage {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
  reasoning: number
}
