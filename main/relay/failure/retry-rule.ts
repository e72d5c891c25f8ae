import type { Settings } from '../../store/state/settings.ts'
import type { Blame } from '../circuit/circuit.ts'
import type { Fault, FaultKind } from './fault.ts'
import { type RetryRow, retryTable } from './retry-table.ts'

const parsed = new Map<string, (status: number) => boolean>()

/** A test for a list of statuses and ranges: `401,500-503`. */
export function statusMatcher(list: string): (status: number) => boolean {
  let matcher = parsed.get(list)
  if (!matcher) {
    const ranges = list
      .split(',')
      .map((part) => part.trim().split('-').map(Number))
      .filter((range) => range.length > 0 && range.every(Number.isInteger))
    matcher = (status) => ranges.some(([low = 0, high = low]) => status >= low && status <= high)
    parsed.set(list, matcher)
  }
  return matcher
}

/** What follows from a failed attempt. */
export interface Verdict {
  /** May another channel be tried? */
  retries: boolean
  /** What it speaks against; null: it says nothing of the channel. */
  blame: Blame | null
  isAtOnce: boolean
}

type Options = Pick<Settings, 'RetryRules' | 'AutomaticRetryStatusCodes' | 'RetryOnTimeout'>
type OwnRule = Options['RetryRules'][number]

/** What the owner's rules call each kind. */
const ownKinds: Partial<Record<FaultKind, readonly OwnRule['kind'][]>> = {
  connect: ['connect'],
  'connect-timeout': ['connect', 'timeout'],
  timeout: ['timeout'],
  cut: ['cut'],
  invalid: ['invalid'],
}

const holdsOne = (words: readonly string[], wanted: readonly string[]): boolean =>
  words.some((word) => wanted.includes(word.toLowerCase()))

const isAmong = (status: number | null, list: string): boolean =>
  status !== null && statusMatcher(list)(status)

function fitsOwn({ status, codes, text, kind }: OwnRule, fault: Fault): boolean {
  if (status !== undefined && !isAmong(fault.status, status)) return false
  const wanted = codes?.map((code) => code.toLowerCase())
  if (wanted && !holdsOne(fault.words, wanted)) return false
  if (text !== undefined && !fault.said.toLowerCase().includes(text.toLowerCase())) return false
  return kind === undefined || (ownKinds[fault.kind]?.includes(kind) ?? false)
}

function fits({ kinds, status, words, text }: RetryRow, fault: Fault): boolean {
  if (kinds && !kinds.includes(fault.kind)) return false
  if (status !== undefined && !isAmong(fault.status, status)) return false
  if (words && !holdsOne(fault.words, words)) return false
  return text === undefined || text.test(fault.said)
}

/** Never worth another channel: the body is at fault, or (408) the client was too slow. */
const FINAL = new Set([400, 408])
const SLOW = new Set([504, 524])

/** May another channel be tried after this (management-api §13.4)? */
function retriesByOptions({ kind, status }: Fault, options: Options): boolean {
  if (kind === 'timeout') return options.RetryOnTimeout
  if (status === null) return true
  if (FINAL.has(status)) return false
  if (SLOW.has(status)) return options.RetryOnTimeout
  return statusMatcher(options.AutomaticRetryStatusCodes)(status)
}

/** What follows from a failure: the owner's rules say first whether it is tried again, then the table's. */
export function judge(fault: Fault, options: Options): Verdict {
  const row = retryTable.find((one) => fits(one, fault))
  const own = options.RetryRules.find((rule) => fitsOwn(rule, fault))
  const retry = own?.action ?? row?.retry ?? 'next'
  return {
    retries: retry === 'as-options' ? retriesByOptions(fault, options) : retry === 'next',
    blame: row?.blame ?? null,
    isAtOnce: row?.isAtOnce ?? false,
  }
}
