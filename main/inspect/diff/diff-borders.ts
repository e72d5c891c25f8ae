import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import type { Capture, CapturedAnswer, CapturedBody } from '../../capture/capture.ts'
import type { LossEntry } from '../../convert/loss.ts'
import { isCutBody, jsonOf, keptOf } from '../body/body-content.ts'
import { eventsOf } from '../events/stream-view.ts'
import { readAnswer } from '../reading/read-answer.ts'
import { type ExplainedDiff, pinLosses } from './pin-losses.ts'

export type Side = 'request' | 'answer'

/** Losses of an answer stand under this name. */
const OF_ANSWER = 'answer.'

/** A side of the comparison, by the code of its name in other languages. */
const sides = {
  side_client_request: 'The client’s request',
  side_upstream_request: 'The upstream’s request',
  side_upstream_answer: 'The upstream’s answer',
  side_client_answer: 'The client’s answer',
} as const

type Place = keyof typeof sides

const refusal = (message: string, reason: Reason) =>
  new GatewayError('conflict', { message, reason })

function jsonBody(body: CapturedBody, place: Place): unknown {
  if (isCutBody(body)) {
    throw refusal(`${sides[place]} was cut at ${keptOf(body)} bytes, so it can’t be compared.`, {
      code: 'compare_cut',
      side: { code: place },
      bytes: keptOf(body),
    })
  }
  const value = jsonOf(body)
  if (value === undefined)
    throw refusal(`${sides[place]} isn’t JSON, so it can’t be compared.`, {
      code: 'compare_no_json',
      side: { code: place },
    })
  return value
}

/** An answer's JSON; of a stream the parts that its events make together. */
function answerOf(answer: CapturedAnswer | null, format: string, place: Place): unknown {
  if (!answer)
    throw refusal(`${sides[place]} never began, so there is nothing to compare.`, {
      code: 'compare_never_began',
      side: { code: place },
    })
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
      { code: 'compare_no_upstream' },
    )
  }
  const isOfAnswer = ({ path }: LossEntry) => path.startsWith(OF_ANSWER)
  if (side === 'request') {
    const from = jsonBody(client.request.body, 'side_client_request')
    const to = jsonBody(exchange.request.body, 'side_upstream_request')
    return pinLosses(
      from,
      to,
      losses.filter((loss) => !isOfAnswer(loss)),
    )
  }
  const from = answerOf(exchange.answer, exchange.format, 'side_upstream_answer')
  const to = answerOf(client.answer, format, 'side_client_answer')
  const ofAnswer = losses.filter(isOfAnswer)
  return pinLosses(
    from,
    to,
    ofAnswer.map((loss) => ({ ...loss, path: loss.path.slice(OF_ANSWER.length) })),
  )
}
