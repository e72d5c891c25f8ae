import { useEffect, useState } from 'react'
import type { OperationOutput } from '../../../../../preload/contract.ts'
import { toCallFailure } from '../../../../gateway/call-failure.ts'
import { useGateway } from '../../../../gateway/gateway-context.ts'
import { blankTurn, type Column, type Turn } from '../desk/chat-record.ts'
import { chatRequest, isBroken } from '../desk/chat-request.ts'
import { threadOf } from '../desk/thread.ts'
import { useDeskState } from '../use-desk.ts'

type Estimate = OperationOutput<'playground.preview'>

/** `none`: there is nothing that could be sent. */
type EstimateState = 'waiting' | 'none' | { problem: string } | { estimate: Estimate }

/** Milliseconds after the last letter. */
const PAUSE = 500
/** Base64 of three bytes that stand for a file: its size is told instead. */
const standIn = ({ kind }: { kind: string }): string => (kind === 'text' ? '' : 'AAAA')

/** The gateway's estimate of what a column would send. */
export function useEstimate(column: Column): EstimateState {
  const client = useGateway()
  const text = useDeskState(({ draft }) => draft.text.trim())
  const attachments = useDeskState(({ draft }) => draft.attachments)
  const [state, setState] = useState<EstimateState>('waiting')
  const { settings, leaf } = column
  const canSend = settings.model !== '' && !isBroken(settings)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a conversation changes with its last turn
  useEffect(() => {
    if (!canSend) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      const message: Turn = {
        ...blankTurn,
        ...{ id: '', parent: leaf, role: 'user', text, attachments },
      }
      const thread = [...threadOf(column), message]
      const files = thread
        .flatMap((turn) => turn.attachments)
        .map(({ kind, type, size }) => ({ kind, type, size }))
      const request = { ...chatRequest(settings, thread, standIn), files }
      try {
        const { data } = await client.call('playground.preview', request, controller.signal)
        if (!controller.signal.aborted) setState({ estimate: data })
      } catch (error) {
        if (!controller.signal.aborted) setState({ problem: toCallFailure(error).message })
      }
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [client, text, attachments, settings, leaf, canSend])

  return canSend ? state : 'none'
}
