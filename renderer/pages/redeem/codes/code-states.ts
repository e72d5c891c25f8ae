import type { RedemptionRecord } from '../../../gateway/records.ts'

/** Filters: enabled, disabled, used, and enabled but expired. */
export const codeStates = ['1', '2', '3', 'expired'] as const

const used = 3

/** A used code's value and state can't change any more. */
export const isUsed = (code: RedemptionRecord): boolean => code.status === used
