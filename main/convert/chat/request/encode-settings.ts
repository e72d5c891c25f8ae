import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { openaiTier } from '../../openai/openai-tier.ts'
import { shortHash } from '../../tools/tool-ids.ts'

/** OpenAI's limit for ids and keys that a client makes up. */
const LONGEST_KEY = 64

function encodeTier({ serviceTier }: ExchangeRequest, { loss }: RequestTarget): JsonObject {
  if (serviceTier === undefined) return {}
  const path = loss.field('serviceTier')
  const tier = openaiTier(serviceTier)
  if (tier === undefined) {
    loss.drop(path, 'openai_without_tier')
    return {}
  }
  if (tier !== serviceTier) loss.approximate(path, { code: 'sent_as', value: tier })
  return { service_tier: tier }
}

/** A person or session: its hash where another vendor's client tells it, who told it to that vendor. */
function encodeUser({ origin, user }: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  if (user === undefined || user === '') return {}
  const isOpenAi = rules.openaiFields
  const field = isOpenAi ? 'safety_identifier' : 'user'
  if (origin === 'chat') return { [field]: user }
  // Between OpenAI's own formats it stays what it is.
  if (origin === 'responses' && isOpenAi && user.length <= LONGEST_KEY) return { [field]: user }
  loss.approximate(loss.field('user'), { code: 'sent_hashed_as', field })
  return { [field]: shortHash(user, 40) }
}

/** A map for the client's own dashboards at OpenAI, which Chat takes only of stored answers. */
function encodeStore(request: ExchangeRequest, { loss }: RequestTarget): JsonObject {
  const { origin, store, metadata } = request
  if (origin === 'chat') {
    return {
      ...(store === undefined ? {} : { store }),
      ...(metadata === undefined ? {} : { metadata }),
    }
  }
  if (metadata && Object.keys(metadata).length > 0) {
    loss.drop(loss.field('metadata'), 'only_with_stored_answers')
  }
  if (store) loss.drop(loss.field('store'), 'keeps_no_answers')
  return {}
}

function encodeModalities(request: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  const { origin, modalities } = request
  if (!modalities) return {}
  const path = loss.field('modalities')
  if (origin === 'chat') return { modalities }
  // OpenAI wants a voice and a format with it, for which other formats have no equal.
  if (modalities.includes('audio')) loss.refuse(path, 'no_sound')
  if (!modalities.includes('image')) return {}
  if (rules.openaiFields) loss.refuse(path, 'no_images')
  return { modalities: ['text', 'image'] }
}

/** Settings of the account, the cache and the answer's length; compatible vendors refuse most of them. */
export function encodeSettings(request: ExchangeRequest, target: RequestTarget): JsonObject {
  const { origin, cacheKey, verbosity } = request
  const { rules, loss } = target
  const fields: JsonObject = {
    ...encodeUser(request, target),
    ...encodeStore(request, target),
    ...encodeModalities(request, target),
  }
  if (request.previousResponseId !== undefined) {
    loss.refuse(loss.field('previousResponseId'), 'no_such_answer_send_all')
  }
  if (origin === 'chat' || rules.openaiFields) {
    Object.assign(fields, encodeTier(request, target))
    if (verbosity !== undefined) fields.verbosity = verbosity
    if (cacheKey !== undefined) {
      const fits = origin === 'chat' || cacheKey.length <= LONGEST_KEY
      fields.prompt_cache_key = fits ? cacheKey : shortHash(cacheKey, 40)
    }
    return fields
  }
  for (const name of ['serviceTier', 'verbosity', 'cacheKey'] as const) {
    // For other formats the key was derived from other fields, so nothing the client sent is lost.
    const isSent = name !== 'cacheKey' || origin === 'responses'
    if (request[name] !== undefined && isSent) {
      loss.drop(loss.field(name), 'upstream_without_field')
    }
  }
  return fields
}
