import { MAX_QUOTA, UNITS_PER_USD } from '../../base/quota.ts'
import { asLimit } from '../../convert/check/check-request.ts'
import type { AnswerLimits } from '../../convert/codec.ts'
import { isWireFormat, traitsOf } from '../../convert/codecs.ts'
import type { Call } from '../call/call.ts'
import { estimatedPrompt } from '../usage/estimated-prompt.ts'
import { modelFacts } from './model-facts.ts'
import type { Price } from './model-price.ts'

const MILLION = 1_000_000
const BYTES_PER_TOKEN = 4
/** A body up to this size is words; in a longer one there may be pictures, which weigh less than their bytes. */
const WORDS_ONLY = 64 * 1024
/** Documents that a rerank call may have for one search unit, https://cohere.com/pricing */
const DOCUMENTS_PER_SEARCH = 100
/** Tokens that are held back for an answer whose length the call does not limit, where its model can write as many. */
const DEFAULT_ANSWER = 4096

/** The fields of an entry in a list of further models. */
type Own = Readonly<Record<string, unknown>>
const NOTHING: Own = {}

/** About how many tokens the prompt has; 0 for what comes as a form. */
function promptTokens(call: Call, own: Own): number {
  if (call.form) return 0
  const ownTokens = own === NOTHING ? 0 : JSON.stringify(own).length / BYTES_PER_TOKEN
  return Math.max(callTokens(call), Math.ceil(ownTokens))
}

function callTokens(call: Call): number {
  const { size } = call.body
  if (size > WORDS_ONLY && isWireFormat(call.format)) {
    try {
      return estimatedPrompt(call)
    } catch {
      // A fault in the body is told where it is converted, or by the vendor.
    }
  }
  return Math.ceil(size / BYTES_PER_TOKEN)
}

/** The most tokens that the call, or its further model's own entry, allows answers, where either says so. */
function answerTokens(call: Call, own: Own): number {
  if (own === NOTHING) return callsAnswer(call)
  const limits = [own.max_tokens, own.max_completion_tokens, own.max_output_tokens].map(asLimit)
  const answers = Math.max(1, answersOf(call), asLimit(own.n), asLimit(own.best_of))
  // Whether a vendor takes the call's limits or the entry's is not known.
  return Math.max(callsAnswer(call) / answersOf(call), ...limits) * answers
}

function limitsOf({ body, format }: Call): AnswerLimits {
  const codec = traitsOf(format)
  if (codec.answerLimits) return codec.answerLimits(body)
  const tokens = asLimit(body.get('max_completion_tokens')) || asLimit(body.get('max_tokens'))
  return { tokens, answers: Math.max(1, asLimit(body.get('n'))) }
}

const answersOf = (call: Call): number => limitsOf(call).answers

/** The most tokens that the call allows all its answers; 0 where it sets no limit. */
export function callsAnswer(call: Call): number {
  const { tokens, answers } = limitsOf(call)
  return tokens * answers
}

const isPictures = ({ format }: Call): boolean => format.startsWith('image')

/** Dollars for what is not sold by the token, as far as the request shows it. */
function unitDollars(call: Call, { units }: Price): number {
  const { body, format } = call
  if (units.image !== undefined && isPictures(call)) {
    return units.image * Math.max(1, asLimit(body.get('n')))
  }
  if (units.character !== undefined && format === 'speech') {
    const text = body.get('input')
    return typeof text === 'string' ? units.character * text.length : 0
  }
  if (units.search !== undefined && format.endsWith('rerank')) {
    const documents = body.get('documents')
    const searches = Array.isArray(documents) ? documents.length / DOCUMENTS_PER_SEARCH : 1
    return units.search * Math.max(1, Math.ceil(searches))
  }
  return 0
}

/** Tokens that a call may take: of its prompt and its answer, of which no more is expected than is common. */
export function expectedTokens(call: Call): number {
  const writes = isWireFormat(call.format) || call.format === 'completions'
  const answer = writes ? Math.min(callsAnswer(call) || DEFAULT_ANSWER, DEFAULT_ANSWER) : 0
  return promptTokens(call, NOTHING) + answer
}

/** The expected cost of a call, in units. */
export interface ExpectedCost {
  /** The cost that it asks for itself: no less must be left. */
  needed: number
  /** The same with an answer of common length, where the call does not limit its own: is held back if it is there. */
  likely: number
}

/**
 * The expected cost of a call before it is sent (management-api §13.3): by the call its price; by the token its prompt
 * (at least `least` tokens) and the longest answer that it allows. `own`: what its entry says of a further model.
 */
export function expectedCost(
  call: Call,
  price: Price,
  least: number,
  factor: number,
  own: Own = NOTHING,
): ExpectedCost {
  const asked =
    price.call === null ? askedDollars(call, price, least, own) : callDollars(call, price.call, own)
  const open = price.call === null ? openDollars(call, price, own) : 0
  return { needed: toUnits(asked * factor), likely: toUnits((asked + open) * factor) }
}

function toUnits(dollars: number): number {
  const units = Math.ceil(Number((dollars * UNITS_PER_USD).toPrecision(14)))
  return Number.isFinite(units) ? Math.min(MAX_QUOTA, units) : MAX_QUOTA
}

/** Dollars for an answer to which the call sets no limit. */
function openDollars(call: Call, { tokens }: Price, own: Own): number {
  const writes = isWireFormat(call.format) || call.format === 'completions'
  if (!tokens || !writes || answerTokens(call, own) > 0) return 0
  const most = Math.min(DEFAULT_ANSWER, modelFacts(call.model).maxOutput ?? DEFAULT_ANSWER)
  return (most * tokens.output) / MILLION
}

const callDollars = (call: Call, each: number, own: Own): number =>
  isPictures(call) ? each * Math.max(1, asLimit(call.body.get('n')), asLimit(own.n)) : each

function askedDollars(call: Call, price: Price, least: number, own: Own): number {
  const { tokens, long } = price
  const sold = unitDollars(call, price)
  if (!tokens) return sold + price.request
  const prompt = Math.max(promptTokens(call, own), least)
  const rates = long && prompt > long.above ? long.tokens : tokens
  return (
    sold + price.request + (prompt * rates.input + answerTokens(call, own) * rates.output) / MILLION
  )
}
