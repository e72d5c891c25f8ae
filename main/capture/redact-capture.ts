import { shownValue } from '../base/errors.ts'
import { redact, redactBytes } from '../base/log/redact.ts'
import type {
  Capture,
  CapturedAnswer,
  CapturedBody,
  CapturedHeaders,
  CapturedRequest,
} from './capture.ts'

/**
 * The capture without any secret that this process knows, wherever it stands: a client may have sent a channel's key
 * in a prompt, and a header of any name may hold one.
 */
export function redactCapture(capture: Capture): Capture {
  const { client, exchanges, frames } = capture
  return {
    ...capture,
    client: { request: redactRequest(client.request), answer: redactAnswer(client.answer) },
    exchanges: exchanges.map(
      ({
        channelId,
        channelName,
        model,
        format,
        connectedAt,
        sentAt,
        request,
        answer,
        failure,
      }) => ({
        ...{ channelId, channelName, model, format, connectedAt, sentAt },
        request: redactRequest(request),
        answer: redactAnswer(answer),
        failure: failure && (shownValue(failure) as typeof failure),
      }),
    ),
    ...(frames
      ? { frames: frames.map((frame) => ({ ...frame, data: redactBytes(frame.data) })) }
      : {}),
  }
}

const redactRequest = (request: CapturedRequest): CapturedRequest => ({
  ...request,
  url: redact(request.url),
  headers: redactHeaders(request.headers),
  body: redactBody(request.body),
})

const redactAnswer = (answer: CapturedAnswer | null): CapturedAnswer | null =>
  answer && { ...answer, headers: redactHeaders(answer.headers), body: redactBody(answer.body) }

const redactHeaders = (headers: CapturedHeaders): CapturedHeaders =>
  headers.map(([name, value]) => [name, redact(value)] as const)

/** A secret may lie across chunks: then the body is one chunk, with the time of its last. */
function redactBody({ chunks, times, size }: CapturedBody): CapturedBody {
  const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  const told = redactBytes(whole)
  if (told === whole) return { chunks, times, size }
  const each = chunks.map(redactBytes)
  const isEach = Buffer.concat(each).equals(told)
  return {
    chunks: isEach ? each : [told],
    times: isEach ? times : times.slice(-1),
    // So that a body whose secret is shorter now doesn't look cut.
    size: size - whole.length + told.length,
  }
}
