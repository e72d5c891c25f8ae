import { useEffect, useState } from 'react'
import type { OperationOutput } from '../../../../../preload/contract.ts'
import { toCallFailure } from '../../../../gateway/call-failure.ts'
import { useGateway } from '../../../../gateway/gateway-context.ts'
import { blankTurn, type Column, type Turn } from '../desk/chat-record.ts'
import { brokenFields, chatRequest } from '../desk/chat-request.ts'
import { threadOf } from '../desk/thread.ts'
import { useDesk, useDeskState } from '../use-desk.ts'

type Estimate = OperationOutput<'playground.preview'>

/** Milliseconds after the last letter. */
const PAUSE = 500
/** Bytes of files that are sent along to be estimated. */
const MOST_FILES = 8 * 1024 * 1024

/** The gateway's estimate of what a column would send; null until it is there. */
export function useEstimate(column: Column): {
  estimate: Estimate | null
  problem: string | null
} {
  const client = useGateway()
  const desk = useDesk()
  const draft = useDeskState((state) => state.draft)
  const [estimate, setEstimate] = useState<Estimate | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { settings, leaf } = column

  // biome-ignore lint/correctness/useExhaustiveDependencies: a conversation changes with its last turn
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      const message: Turn = {
        ...blankTurn,
        ...{ id: '', parent: leaf, role: 'user', text: draft.text.trim() },
        attachments: draft.attachments,
      }
      const thread = [...threadOf(column), message]
      const files = thread.flatMap(({ attachments }) => attachments)
      const size = files.reduce((sum, file) => sum + file.size, 0)
      if (settings.model === '' || brokenFields(settings) || size > MOST_FILES) {
        setEstimate(null)
        return
      }
      for (const { id } of files) await desk.fileOf(id)
      if (controller.signal.aborted) return
      try {
        const request = chatRequest(settings, thread, desk.files)
        const { data } = await client.call('playground.preview', request, controller.signal)
        setEstimate(data)
        setProblem(null)
      } catch (error) {
        if (!controller.signal.aborted) setProblem(toCallFailure(error).message)
      }
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [client, desk, draft, settings, leaf])

  return { estimate, problem }
}
