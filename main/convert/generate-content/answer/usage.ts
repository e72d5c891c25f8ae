import type { Usage, UsageDetail } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asTokenCount } from '../../json/json-value.ts'
import { asModelName } from '../../model/model-name.ts'
import { pricedTier } from '../../other/priced-tier.ts'

function tokensOf(details: unknown, modality: string): number {
  const found = asArray(details)
    .map(asObject)
    .filter((one) => one?.modality === modality)
  return found.reduce((sum, one) => sum + (asTokenCount(one?.tokenCount) ?? 0), 0)
}

/** Shares of sound and pictures, and what tools brought in; nothing where there are none. */
function detailOf(usage: JsonObject): { detail?: UsageDetail } {
  const { promptTokensDetails, cacheTokensDetails, candidatesTokensDetails } = usage
  const found: UsageDetail = {
    inputAudio: tokensOf(promptTokensDetails, 'AUDIO'),
    inputImage: tokensOf(promptTokensDetails, 'IMAGE'),
    cachedAudio: tokensOf(cacheTokensDetails, 'AUDIO'),
    cachedImage: tokensOf(cacheTokensDetails, 'IMAGE'),
    outputAudio: tokensOf(candidatesTokensDetails, 'AUDIO'),
    outputImage: tokensOf(candidatesTokensDetails, 'IMAGE'),
    toolPrompt: asTokenCount(usage.toolUsePromptTokenCount) ?? 0,
  }
  const detail = Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0))
  return Object.keys(detail).length > 0 ? { detail } : {}
}

/** The tier that a call ran in: said plainly by the Gemini API, and by kinds of traffic on Vertex. */
export function decodeTier(metadata: unknown): string | undefined {
  const wire = asObject(metadata)
  if (typeof wire?.serviceTier === 'string') return wire.serviceTier.toLowerCase()
  if (wire?.trafficType === 'ON_DEMAND_PRIORITY') return 'priority'
  return wire?.trafficType === 'ON_DEMAND_FLEX' ? 'flex' : undefined
}

/** `modelVersion`, which may be a resource's name: `models/gemini-3.8-flash`. */
function modelOf(answer: JsonObject): { reportedModel?: string } {
  const name = asModelName(answer.modelVersion)?.replace(/^.*\//, '')
  return name ? { reportedModel: name } : {}
}

const countFields = [
  ...['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount', 'thoughtsTokenCount'],
  ...['toolUsePromptTokenCount', 'cachedContentTokenCount'],
]

/**
 * Usage of a generateContent answer or chunk; null where it counts nothing, as in a stream's first chunks.
 * `promptTokenCount` counts the cached part too,
 * `candidatesTokenCount` leaves the thoughts out, and tool use is input
 * (https://ai.google.dev/api/generate-content#UsageMetadata).
 */
export function readGenerateContentUsage(answer: unknown): Usage | null {
  const told = asObject(answer) ?? {}
  const usage = asObject(told.usageMetadata)
  if (!usage || countFields.every((name) => asTokenCount(usage[name]) === undefined)) return null
  const thoughts = asTokenCount(usage.thoughtsTokenCount) ?? 0
  return {
    input:
      (asTokenCount(usage.promptTokenCount) ?? 0) +
      (asTokenCount(usage.toolUsePromptTokenCount) ?? 0),
    cachedInput: asTokenCount(usage.cachedContentTokenCount) ?? 0,
    cacheWrite: 0,
    output: (asTokenCount(usage.candidatesTokenCount) ?? 0) + thoughts,
    reasoning: thoughts,
    ...detailOf(usage),
    ...pricedTier(decodeTier(usage)),
    ...modelOf(told),
  }
}
