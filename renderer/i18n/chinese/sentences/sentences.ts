import type { SentenceValues } from '../../../../preload/contract.ts'
import { answerFaults } from './answer-faults.ts'
import { bodyRules } from './body-rules.ts'
import { channelSentences } from './channel-sentences.ts'
import { connectSentences } from './connect-sentences.ts'
import { eventSentences } from './event-sentences.ts'
import { firstSentences } from './first-sentences.ts'
import { gatewaySentences } from './gateway-sentences.ts'
import { limitSentences } from './limit-sentences.ts'
import { lossNotes } from './loss-notes.ts'
import { refusalSentences } from './refusal-sentences.ts'
import { requestSentences } from './request-sentences.ts'
import type { WrongSlots } from './sentence-slots.ts'
import { transferSentences } from './transfer-sentences.ts'
import { upstreamSentences } from './upstream-sentences.ts'

const all = {
  ...firstSentences,
  ...gatewaySentences,
  ...answerFaults,
  ...bodyRules,
  ...channelSentences,
  ...connectSentences,
  ...eventSentences,
  ...limitSentences,
  ...lossNotes,
  ...refusalSentences,
  ...requestSentences,
  ...transferSentences,
  ...upstreamSentences,
} as const

type Sentences = Readonly<Record<keyof SentenceValues, string>>

/** The gateway’s sentences by their codes; in English the gateway says them itself. */
export const sentences: WrongSlots<typeof all> extends never ? Sentences : never = all
