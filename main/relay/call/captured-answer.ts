import type { CallCapture } from '../../capture/call-capture.ts'
import type { Answer, AnswerSink, AnswerStream } from './answer.ts'
import type { Call } from './call.ts'

/** The answer, and what the client gets of it is captured where the call is. */
export function captured(answer: Answer, { capture }: Call): Answer {
  if (!capture) return answer
  const { status, headers, body } = answer
  capture.answer(status, headers)
  if (!Buffer.isBuffer(body)) return { status, headers, body: new CapturedStream(body, capture) }
  capture.chunk(body)
  capture.end(false)
  return answer
}

class CapturedStream implements AnswerStream {
  readonly #stream: AnswerStream
  readonly #capture: CallCapture

  constructor(stream: AnswerStream, capture: CallCapture) {
    this.#stream = stream
    this.#capture = capture
  }

  pipeTo(sink: AnswerSink): void {
    const capture = this.#capture
    this.#stream.pipeTo({
      write(chunk) {
        capture.chunk(chunk)
        return sink.write(chunk)
      },
      end() {
        capture.end(false)
        sink.end()
      },
      fail() {
        capture.end(true)
        sink.fail()
      },
      onDrain: (listener) => sink.onDrain(listener),
    })
  }

  cancel(): void {
    this.#capture.end(true)
    this.#stream.cancel()
  }
}
