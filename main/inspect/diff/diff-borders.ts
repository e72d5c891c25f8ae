import { GatewayError } from '../../base/errors.ts'
import type { Capture, CapturedAnswer, CapturedBody } from '../../capture/capture.ts'
import type { LossEntry } from '../../convert/loss.ts'
import { isCutBody, jsonOf, keptOf } from '../body/body-content.ts'
import { eventsOf } from '../events/stream-view.ts'
import { readAnswer } from '../reading/read-answer.ts'
import { type ExplainedDiff, pinLosses } from './pin-losses.ts'

export type Side = 'request' | 'answer'

/** Losses of an answer stand under this name. */
const OF_ANSWER = 'answer.'

const refusal = (message: string) => new GatewayError('conflict', { message })

function jsonBody(body: CapturedBody, place: string): unknown {
  if (isCutBody(body)) {
    throw refusal(`${place} was cut at ${keptOf(body)} bytes, so it can’t be compared.`)
  }
  const value = jsonOf(body)
  if (value === undefined) throw refusal(`${place} isn’t JSON, so it can’t be compared.`)
  return value
}

/** An answer's JSON; of a stream the parts that its events make together. */
function answerOf(answer: CapturedAnswer | null, format: string, place: string): unknown {
  if (!answer) throw refusal(`${place} never began, so there is nothing to compare.`)
  if (eventsOf(answer).length === 0) return jsonBody(answer.body, place)
  return {
    parts: readAnswer(answer, format).map(({ kind, name, text }) => ({
      kind,
      ...(name === undefined ? {} : { name }),
      text,
    })),
  }
}

/**
 * The differences between what the client sent and what went upstream, or between the upstream's answer and the
 * client's. Throws `conflict` where there is nothing to compare.
 */
export function diffBorders(
  { client, exchanges, format }: Capture,
  { exchange: index, side, losses }: { exchange: number; side: Side; losses: readonly LossEntry[] },
): ExplainedDiff {
  const exchange = exchanges[index]
  if (!exchange) {
    throw refusal(
      'There is no upstream side to compare: the call never reached one, or only administrators see it.',
    )
  }
  const isOfAnswer = ({ path }: LossEntry) => path.startsWith(OF_ANSWER)
  if (side === 'request') {
    const from = jsonBody(client.request.body, 'The client’s request')
    const to = jsonBody(exchange.request.body, 'The upstream’s request')
    return pinLosses(
      from,
      to,
      losses.filter((loss) => !isOfAnswer(loss)),
    )
  }
  const from = answerOf(exchange.answer, exchange.format, 'The upstream’s answer')
  const to = answerOf(client.answer, format, 'The client’s answer')
  const ofAnswer = losses.filter(isOfAnswer)
  return pinLosses(
    from,
    to,
    ofAnswer.map((loss) => ({ ...loss, path: loss.path.slice(OF_ANSWER.length) })),
  )
}
