import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

function decodeToken(value: unknown): JsonObject {
  const wire = asObject(value) ?? {}
  const token = asString(wire.token) ?? ''
  return { token, logprob: numberOf(wire.logProbability), bytes: [...Buffer.from(token)] }
}

/** Google's `logprobsResult` in OpenAI's shape; undefined where there is none. */
export function decodeLogprobs(value: unknown): JsonObject | undefined {
  const result = asObject(value)
  if (!result) return undefined
  const top = asArray(result.topCandidates)
  const content = asArray(result.chosenCandidates).map((chosen, index) => ({
    ...decodeToken(chosen),
    top_logprobs: asArray(asObject(top[index])?.candidates).map(decodeToken),
  }))
  return { content, refusal: null }
}

function encodeToken(value: unknown): JsonObject {
  const wire = asObject(value) ?? {}
  return { token: asString(wire.token) ?? '', logProbability: numberOf(wire.logprob) }
}

/** OpenAI's logprobs as `logprobsResult`; empty where there are none. */
export function encodeLogprobs(value: unknown): JsonObject {
  const content = asArray(asObject(value)?.content)
  if (content.length === 0) return {}
  const chosenCandidates = content.map(encodeToken)
  const topCandidates = content.map((one) => ({
    candidates: asArray(asObject(one)?.top_logprobs).map(encodeToken),
  }))
  return { logprobsResult: { chosenCandidates, topCandidates } }
}
