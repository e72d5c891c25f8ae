import { asArray, asObject } from '../../convert/json/json-value.ts'

type Json = Record<string, unknown>

/** Plain settings, which the SDKs pass on unchanged. */
const settings: ReadonlySet<string> = new Set([
  ...['temperature', 'topP', 'topK', 'candidateCount', 'maxOutputTokens', 'seed'],
  ...['stopSequences', 'presencePenalty', 'frequencyPenalty', 'responseMimeType'],
])

const ofContent: ReadonlySet<string> = new Set(['role', 'parts'])
const ofPart: ReadonlySet<string> = new Set(['text', 'thought', 'functionCall', 'functionResponse'])
const ofCall: ReadonlySet<string> = new Set(['id', 'name', 'args', 'response'])

const hasOnly = (value: unknown, known: ReadonlySet<string>): boolean =>
  Object.keys(asObject(value) ?? {}).every((name) => known.has(name))

/** Would the SDKs pass on these contents as they are? They drop fields that they don't know, and change bytes. */
function isPlainContent(value: unknown): boolean {
  const content = asObject(value)
  if (!content || !Array.isArray(content.parts) || !hasOnly(content, ofContent)) return false
  return content.parts.every((part) => {
    const one = asObject(part)
    return (
      one !== undefined &&
      hasOnly(one, ofPart) &&
      hasOnly(one.functionCall, ofCall) &&
      hasOnly(one.functionResponse, ofCall)
    )
  })
}

/** The arguments of Google's SDK for a request's body. */
export interface GoogleParams {
  /** Null where they have to go beside the SDK, in `rest`. */
  contents: unknown
  config: Json
  /** Merged by the SDK into the body that it makes. */
  rest: Json
}

/** Parts a body into what the SDKs pass on unchanged, and the rest. */
export function googleParams(body: Json): GoogleParams {
  const { contents, generationConfig, ...rest } = body
  const isPlain = asArray(contents).length > 0 && asArray(contents).every(isPlainContent)
  const config: Json = {}
  const others: Json = {}
  for (const [name, value] of Object.entries(asObject(generationConfig) ?? {})) {
    if (settings.has(name)) config[name] = value
    else others[name] = value
  }
  return {
    contents: isPlain ? contents : null,
    config,
    rest: {
      ...(isPlain ? {} : { contents }),
      ...rest,
      ...(Object.keys(others).length > 0 ? { generationConfig: others } : {}),
    },
  }
}
