import { useEffect, useState } from 'react'
import { jsonFault } from '../../../components/forms/json-places.ts'
import { useGateway } from '../../../gateway/gateway-context.ts'
import type { ReplayFailure } from './replay-answer.ts'
import { type ReplayDraft, type ReplayForm, replayInput } from './replay-desk.ts'

/** Milliseconds without a key until the body is looked at. */
const PAUSE = 500

/**
 * The endpoint’s objection to an edited body, as far as the last look shows; undefined before the first one, and for
 * a body that is as it was captured.
 */
export function useBodyCheck(
  capture: string,
  { channel, model, stream, body }: ReplayForm,
  draft: ReplayDraft,
): ReplayFailure | null | undefined {
  const client = useGateway()
  const [problem, setProblem] = useState<ReplayFailure | null>()
  const isEdited = body !== draft.body
  useEffect(() => {
    if (!isEdited) return setProblem(undefined)
    if (jsonFault(body) !== null) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const input = replayInput(capture, { channel, model, stream, body }, draft)
      client.call('replay.check', input, controller.signal).then(
        ({ data }) => !controller.signal.aborted && setProblem(data.problem),
        // Send tells it as well.
        () => {},
      )
    }, PAUSE)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [client, capture, channel, model, stream, body, draft, isEdited])
  return problem
}
