/**
 * Stands where Gemini 3 wants a call's signature and nobody has one, because another model made the call:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator'

const standIns: readonly string[] = [NO_SIGNATURE, 'context_engineering_is_the_way_to_go']

/** Is it one of Google's words for a signature that is missing? SDKs that hold bytes send them as base64. */
export const isNoSignature = (signature: string): boolean =>
  standIns.includes(signature) ||
  (signature.length < 60 && standIns.includes(Buffer.from(signature, 'base64').toString()))
