import { type BodySource, UpstreamBody } from './body.ts'
import { upstreamFailure } from './failure.ts'
import type { RequestWatcher, UpstreamAnswer } from './request.ts'

export interface LocalSource {
  status: number
  headers: Record<string, string>
  chunks: AsyncIterable<Buffer>
}

/** An answer that is made in this process (the Echo channel), in the shape of one from the network. */
export function localAnswer(
  source: LocalSource,
  watcher: RequestWatcher | null,
  cancel: () => void,
): UpstreamAnswer {
  const iterator = source.chunks[Symbol.asyncIterator]()
  let isPaused = false
  let isPumping = false
  let isOver = false
  const { status, headers } = source
  watcher?.onAnswer(status, headers)
  const pieces: BodySource = {
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      void pump()
    },
    abort: () => {
      isOver = true
      cancel()
      void iterator.return?.()
    },
  }
  const body = new UpstreamBody(pieces, watcher)
  async function pump(): Promise<void> {
    if (isPumping) return
    isPumping = true
    try {
      while (!isPaused && !isOver) {
        const next = await iterator.next()
        if (isOver) break
        if (next.done) {
          isOver = true
          body.finish('end')
        } else body.take(next.value)
      }
    } catch (error) {
      isOver = true
      body.finish(upstreamFailure(error, 'local'))
    } finally {
      isPumping = false
    }
  }
  void pump()
  return { status, headers, body }
}
