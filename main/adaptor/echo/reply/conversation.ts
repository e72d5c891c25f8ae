import type { LocalRequest } from '../../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  eventsAnswer,
  jsonAnswer,
  refuse,
} from '../echo-endpoint.ts'
import type { EchoFormat } from '../echo-format.ts'
import { replyTo } from './echo-reply.ts'

function answer(format: EchoFormat, request: LocalRequest): EchoAnswer {
  const { body, stream, verb, model, altSse } = request
  const turn = format.read(body)
  if (typeof turn === 'string') refuse(turn, 'must be a list that is not empty')
  if (verb === 'count-tokens') {
    const count = format.count(turn.inputTokens)
    if (count === null) refuse('model', 'this format does not count tokens')
    return jsonAnswer(count)
  }
  const reply = replyTo(turn)
  const writing = { model, body, altSse }
  if (!stream) return jsonAnswer(format.write(reply, writing))
  const parts = format.stream(reply, writing)
  const isArray = request.format === 'generate-content' && !altSse
  return isArray ? { ...jsonAnswer(null), parts } : eventsAnswer(parts)
}

/** A chat format: the user's last words are said back in it, whole, streamed or only counted. */
export const conversation = (format: EchoFormat): EchoEndpoint => ({
  answer: (request) => answer(format, request),
  refuse: format.refuse,
  idHeader: format.idHeader,
})
