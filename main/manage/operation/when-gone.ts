import type { Answer, AnswerSink } from '../../relay/call/answer.ts'

/** The answer as it is; `done` is called once all of it was handed out, or it broke off or was given up. */
export function whenGone(answer: Answer, done: () => void): Answer {
  const { body } = answer
  if (Buffer.isBuffer(body)) {
    done()
    return answer
  }
  const watched = (sink: AnswerSink): AnswerSink => ({
    write: (chunk) => sink.write(chunk),
    onDrain: (listener) => sink.onDrain(listener),
    end() {
      done()
      sink.end()
    },
    fail() {
      done()
      sink.fail()
    },
  })
  return {
    ...answer,
    body: {
      pipeTo: (sink) => body.pipeTo(watched(sink)),
      cancel() {
        done()
        body.cancel()
      },
    },
  }
}
