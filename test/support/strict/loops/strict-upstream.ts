import { randomBytes } from 'node:crypto'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import {
  type RecordedRequest,
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../upstreams/scripted-upstream.ts'
import { type AnswerPlan, type PlannedAnswer, unwrapRaw } from '../answers/answer.ts'
import { answerChat } from '../answers/answer-chat.ts'
import { answerGenerateContent } from '../answers/answer-generate-content.ts'
import { answerMessages } from '../answers/answer-messages.ts'
import { answerResponses } from '../answers/answer-responses.ts'
import { IssuedStates } from '../answers/issued-state.ts'
import { offersLoop, readResults } from '../answers/read-results.ts'
import { checkRequest } from '../requests/check-request.ts'
import { type Json, Refusal } from '../requests/refusal.ts'
import { loopTurn } from './loop-script.ts'

export interface StrictUpstream extends ScriptedUpstream {
  format: WireFormat
  /** Why it refused, one sentence a refused request. */
  refusals: string[]
  issued: IssuedStates
}

/** The order of checks and answers in each format. */
const answers: Readonly<Record<WireFormat, (plan: AnswerPlan) => PlannedAnswer>> = {
  chat: answerChat,
  messages: answerMessages,
  'generate-content': answerGenerateContent,
  responses: answerResponses,
}

const paths: Readonly<Record<WireFormat, RegExp>> = {
  chat: /^\/v1\/chat\/completions$/,
  messages: /^\/v1\/messages(?:\?beta=true)?$/,
  'generate-content':
    /^\/v1(?:beta)?\/models\/([^:/]+):(generateContent|streamGenerateContent)(?:\?.*)?$/,
  responses: /^\/v1\/responses$/,
}

/**
 * A vendor that refuses with 400, in its own words and error shape, what the real one refuses, and
 * plays the three turns of `loop-script.ts` to who sends it what it takes. `script` goes before both.
 */
export async function startStrictUpstream(format: WireFormat): Promise<StrictUpstream> {
  const issued = new IssuedStates()
  const refusals: string[] = []
  const upstream = await startUpstream((request) => {
    try {
      return reply(format, request, issued)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(`${error.path}: ${error.message}`)
      return { status: error.status, body: errorBody(format, error) }
    }
  })
  return Object.assign(upstream, { format, refusals, issued })
}

function reply(format: WireFormat, request: RecordedRequest, issued: IssuedStates): Reply {
  const path = paths[format].exec(request.url)
  if (request.method !== 'POST' || !path) {
    throw new Refusal('', `No such endpoint: ${request.method} ${request.url}`, 404)
  }
  const body = request.json() as Json
  const model =
    format === 'generate-content' ? decodeURIComponent(path[1] ?? '') : String(body.model)
  checkRequest(format, body, { model, headers: request.headers, issued })
  const turn = loopTurn(readResults(format, body).length, offersLoop(body))
  const nonce = randomBytes(8).toString('hex')
  const { whole, chunks } = answers[format]({ turn, body, model, issued, nonce })
  const isStream =
    format === 'generate-content' ? path[2] === 'streamGenerateContent' : body.stream === true
  if (isStream) return { chunks: chunks.map(unwrapRaw), pause: 1 }
  return { body: unwrapRaw(JSON.stringify(whole)), headers: { 'content-type': 'application/json' } }
}

/** Errors as wire-formats 1.6 has them. */
function errorBody(format: WireFormat, { path, message, status, code }: Refusal): object {
  const sentence = path === '' ? message : `${path}: ${message}`
  if (format === 'messages') {
    const type = status === 404 ? 'not_found_error' : 'invalid_request_error'
    return { type: 'error', error: { type, message: sentence }, request_id: 'req_strict' }
  }
  if (format === 'generate-content') {
    const word = status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT'
    return { error: { code: status, message: sentence, status: word } }
  }
  return { error: { message: sentence, type: 'invalid_request_error', param: path, code } }
}
