import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, RequestField } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'

function encodeTemperature(request: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  const { temperature, topP } = request
  if (temperature !== undefined && (temperature < 0 || temperature > 2)) {
    loss.refuse(loss.field('temperature'), { code: 'must_be_number_from', least: 0, most: 2 })
  }
  if (topP !== undefined && (topP < 0 || topP > 1)) {
    loss.refuse(loss.field('topP'), { code: 'must_be_number_from', least: 0, most: 1 })
  }
  if (!rules.sampling) {
    for (const name of ['temperature', 'topP'] as const) {
      if (request[name] !== undefined) loss.drop(loss.field(name), 'model_refuses')
    }
    return {}
  }
  const fields: JsonObject = {}
  if (temperature !== undefined) {
    fields.temperature = Math.min(temperature, rules.temperatureMax)
    if (temperature > rules.temperatureMax) {
      loss.approximate(loss.field('temperature'), {
        code: 'at_most_here',
        most: rules.temperatureMax,
      })
    }
  }
  if (topP !== undefined && (rules.bothSampling || temperature === undefined)) fields.top_p = topP
  else if (topP !== undefined) {
    loss.drop(loss.field('topP'), 'refused_beside_temperature')
  }
  return fields
}

function encodeStop({ stop }: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  const wanted = (stop ?? []).filter((one) => one !== '')
  if (wanted.length === 0) return {}
  const path = loss.field('stop')
  const kept = rules.stop ? wanted.slice(0, rules.maxStop) : []
  if (kept.length === 0) {
    loss.drop(path, 'no_stop_sequences')
    return {}
  }
  if (kept.length < wanted.length) {
    loss.approximate(path, { code: 'only_first', count: rules.maxStop })
  }
  return { stop: kept }
}

function encodeMaxOutput(
  { maxOutput }: ExchangeRequest,
  { rules, loss }: RequestTarget,
): JsonObject {
  if (maxOutput === undefined) return {}
  const path = loss.field('maxOutput')
  if (maxOutput < 1) loss.refuse(path, { code: 'must_be_at_least_here', least: 1 })
  // OpenAI refuses a limit above the model's own; of other vendors' models the limit is not sure.
  const isTooHigh = rules.openaiFields && maxOutput > rules.maxOutput
  if (isTooHigh) loss.approximate(path, { code: 'writes_at_most', most: rules.maxOutput })
  return { [rules.maxTokensField]: isTooHigh ? rules.maxOutput : maxOutput }
}

function encodeLogprobs({ logprobs }: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  if (logprobs === undefined) return {}
  if (!rules.logprobs) loss.refuse(loss.field('logprobs'), 'no_log_probabilities')
  return { logprobs: true, ...(logprobs > 0 ? { top_logprobs: Math.min(logprobs, 20) } : {}) }
}

/** Numbers by which tokens are sampled, and limits (wire-formats 8.8). */
export function encodeSampling(request: ExchangeRequest, target: RequestTarget): JsonObject {
  const { rules, loss } = target
  const fields: JsonObject = {
    ...encodeMaxOutput(request, target),
    ...encodeTemperature(request, target),
    ...encodeStop(request, target),
    ...encodeLogprobs(request, target),
  }
  const simple: readonly [RequestField & keyof ExchangeRequest, string, boolean][] = [
    ['topK', 'top_k', rules.sampling && rules.topK],
    ['seed', 'seed', rules.seed],
    ['presencePenalty', 'presence_penalty', rules.penalties],
    ['frequencyPenalty', 'frequency_penalty', rules.penalties],
    ['logitBias', 'logit_bias', rules.logitBias],
    ['count', 'n', true],
  ]
  for (const [name, field, isTaken] of simple) {
    if (request[name] === undefined) continue
    if (isTaken) fields[field] = request[name]
    else loss.drop(loss.field(name), 'model_refuses')
  }
  return fields
}
