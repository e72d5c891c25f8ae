import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, RequestField } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'

/** temperature, top_p, top_k and stop_sequences, by the model's rules and whether it thinks. */
export function encodeSampling(
  request: ExchangeRequest,
  target: RequestTarget,
  thinks: boolean,
): JsonObject {
  if (request.origin === 'messages') return ownSampling(request)
  return { ...encodeHeat(request, target, thinks), ...encodeStops(request, target) }
}

function ownSampling({ temperature, topP, topK, stop }: ExchangeRequest): JsonObject {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(stop === undefined ? {} : { stop_sequences: stop }),
  }
}

function encodeHeat(
  { temperature, topP, topK }: ExchangeRequest,
  { rules, loss }: RequestTarget,
  thinks: boolean,
): JsonObject {
  if (temperature !== undefined && (temperature < 0 || temperature > 2)) {
    loss.refuse(loss.field('temperature'), 'must be a number from 0 to 2')
  }
  if (topP !== undefined && (topP < 0 || topP > 1)) {
    loss.refuse(loss.field('topP'), 'must be a number from 0 to 1')
  }
  const refused = !rules.sampling
    ? 'this model takes none'
    : thinks
      ? 'it may not be set while the model thinks'
      : null
  const fields: JsonObject = {}
  const drop = (field: RequestField, reason: string) => loss.drop(loss.field(field), reason)
  if (temperature !== undefined) {
    if (refused !== null) drop('temperature', refused)
    else {
      fields.temperature = Math.min(temperature, rules.temperatureMax)
      if (temperature > rules.temperatureMax) {
        loss.approximate(loss.field('temperature'), `${rules.temperatureMax} is the most here`)
      }
    }
  }
  if (topP !== undefined) {
    if (refused !== null) drop('topP', refused)
    else if (temperature !== undefined && !rules.bothSampling) {
      drop('topP', 'this model does not take it beside temperature')
    } else fields.top_p = topP
  }
  if (topK !== undefined) {
    if (refused !== null || !rules.topK) drop('topK', refused ?? 'this model takes none')
    else fields.top_k = topK
  }
  return fields
}

/** Sequences of nothing but white space are refused. */
function encodeStops({ stop }: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  if (!stop) return {}
  const field = loss.field('stop')
  if (!rules.stop) {
    loss.drop(field, 'this model takes none')
    return {}
  }
  const sound = stop.filter((one) => one.trim() !== '')
  if (sound.length < stop.length) loss.approximate(field, 'blank sequences are refused')
  if (sound.length > rules.maxStop) loss.approximate(field, `only the first ${rules.maxStop}`)
  return sound.length === 0 ? {} : { stop_sequences: sound.slice(0, rules.maxStop) }
}
