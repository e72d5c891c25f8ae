import type { RedemptionRecord } from '../../../gateway/records.ts'

/** The states that the list can be narrowed to: on, off, used, and on but past its date. */
export const codeStates = ['1', '2', '3', 'expired'] as const

export type CodeState = (typeof codeStates)[number]

const used = 3

/** Whether a code was redeemed; its worth and state are then history. */
export const isUsed = (code: RedemptionRecord): boolean => code.status === used
