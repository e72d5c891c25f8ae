import type { GatewayClient } from '../../../gateway/client.ts'
import type { GatewaySentence } from '../../../i18n/sentence-of.ts'
import { readCallFacts } from '../../calls/call-facts.ts'
import type { LossFacts } from '../../calls/loss-facts.ts'

/** From the gateway's log, once the call is booked; null is unknown. Conversations that were kept earlier lack some. */
export interface BookedFigures {
  channel: string | null
  input: number | null
  output: number | null
  /** Quota units. */
  quota: number | null
  /** Milliseconds. */
  firstToken?: number | null
  duration?: number | null
  unpriced: boolean
  estimated: boolean
  /** Conversations that were kept earlier have sentences in English. */
  losses: (LossFacts | string)[]
  /** Why it failed, where the gateway says it by code. */
  reason?: GatewaySentence['reason']
  /** Its request and answer can be looked at. */
  hasCapture: boolean
}

/** Milliseconds between two looks for a call's row in the log, and how often. */
const PAUSE = 400
const MOST_LOOKS = 12

/** Figures of a call once it is booked; null if it's never found. */
export async function bookedFigures(
  client: GatewayClient,
  requestId: string,
): Promise<BookedFigures | null> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    try {
      const { data } = await client.call('call.one', { request_id: requestId })
      if (data.kind !== 'running') {
        const facts = readCallFacts(data)
        return {
          channel: data.channel_name || null,
          ...{ input: facts.inputTokens, output: facts.outputTokens, quota: facts.quota },
          ...{ firstToken: facts.firstToken, duration: facts.duration },
          ...{ unpriced: facts.unpriced, estimated: facts.estimated },
          losses: facts.losses,
          reason: facts.errorReason,
          hasCapture: data.has_capture,
        }
      }
    } catch {
      // Not booked yet, or gone: looked for again.
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  return null
}
