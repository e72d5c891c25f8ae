import type { LossNote } from '../../../base/sentences/loss-notes.ts'
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
    loss.refuse(loss.field('temperature'), { code: 'must_be_number_from', least: 0, most: 2 })
  }
  if (topP !== undefined && (topP < 0 || topP > 1)) {
    loss.refuse(loss.field('topP'), { code: 'must_be_number_from', least: 0, most: 1 })
  }
  const refused = !rules.sampling ? 'model_takes_none' : thinks ? 'not_while_thinking' : null
  const fields: JsonObject = {}
  const drop = (field: RequestField, note: LossNote) => loss.drop(loss.field(field), note)
  if (temperature !== undefined) {
    if (refused !== null) drop('temperature', refused)
    else {
      fields.temperature = Math.min(temperature, rules.temperatureMax)
      if (temperature > rules.temperatureMax) {
        loss.approximate(loss.field('temperature'), {
          code: 'at_most_here',
          most: rules.temperatureMax,
        })
      }
    }
  }
  if (topP !== undefined) {
    if (refused !== null) drop('topP', refused)
    else if (temperature !== undefined && !rules.bothSampling) {
      drop('topP', 'not_beside_temperature')
    } else fields.top_p = topP
  }
  if (topK !== undefined) {
    if (refused !== null || !rules.topK) drop('topK', refused ?? 'model_takes_none')
    else fields.top_k = topK
  }
  return fields
}

/** Sequences of nothing but white space are refused. */
function encodeStops({ stop }: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  if (!stop) return {}
  const field = loss.field('stop')
  if (!rules.stop) {
    loss.drop(field, 'model_takes_none')
    return {}
  }
  const sound = stop.filter((one) => one.trim() !== '')
  if (sound.length < stop.length) loss.approximate(field, 'blank_stop_sequences')
  if (sound.length > rules.maxStop)
    loss.approximate(field, { code: 'only_first', count: rules.maxStop })
  return sound.length === 0 ? {} : { stop_sequences: sound.slice(0, rules.maxStop) }
}
