import type { Settings } from '../../store/state/settings.ts'
import type { Failure, FailureKind, FailureSigns } from './failure.ts'
import { type RetryRow, retryTable } from './retry-table.ts'
import { statusMatcher } from './status-list.ts'
import { statuses } from './vendor-codes.ts'

type Options = Pick<Settings, 'RetryRules' | 'AutomaticRetryStatusCodes' | 'RetryOnTimeout'>
type OwnRule = Options['RetryRules'][number]

/** The owner's words for kinds. */
const ownKinds: Partial<Record<FailureKind, readonly OwnRule['kind'][]>> = {
  connect: ['connect'],
  'connect-timeout': ['connect', 'timeout'],
  timeout: ['timeout'],
  cut: ['cut'],
  invalid: ['invalid'],
}

/** Characters of a vendor's sentence in which rules look for theirs. */
const LONGEST_MESSAGE = 2000

const holdsOne = (words: readonly string[], wanted: readonly string[]): boolean =>
  words.some((word) => wanted.includes(word.toLowerCase()))

const isAmong = (status: number | null, list: string): boolean =>
  status !== null && statusMatcher(list)(status)

const lookedAt = ({ vendorMessage }: FailureSigns): string =>
  vendorMessage.slice(0, LONGEST_MESSAGE)

function fitsOwn({ status, codes, text, kind }: OwnRule, failure: FailureSigns): boolean {
  if (status !== undefined && !isAmong(failure.status, status)) return false
  const wanted = codes?.map((code) => code.toLowerCase())
  if (wanted && !holdsOne(failure.words, wanted)) return false
  if (text !== undefined && !lookedAt(failure).toLowerCase().includes(text.toLowerCase()))
    return false
  return kind === undefined || (ownKinds[failure.kind]?.includes(kind) ?? false)
}

function fits(row: RetryRow, failure: FailureSigns): boolean {
  const { kinds, status, words, text, isOfTier } = row
  if (isOfTier && !failure.isOfTier) return false
  if (kinds && !kinds.includes(failure.kind)) return false
  if (status !== undefined && !isAmong(failure.status, status)) return false
  if (words && !holdsOne(failure.words, words)) return false
  return text === undefined || text.test(lookedAt(failure))
}

/** The retry table's answer for a failure with these signs. */
export function readTable(signs: FailureSigns): Pick<Failure, 'retry' | 'blame' | 'isAtOnce'> {
  const row = retryTable.find((one) => fits(one, signs))
  const { retry = 'next', blame = null, isAtOnce = false } = row ?? {}
  return { retry, blame, isAtOnce }
}

function retriesByOptions({ kind, status }: Failure, options: Options): boolean {
  if (kind === 'timeout') return options.RetryOnTimeout
  if (status === null) return true
  if (statuses.final.some((one) => one === status)) return false
  if (statuses.slow.some((one) => one === status)) return options.RetryOnTimeout
  return statusMatcher(options.AutomaticRetryStatusCodes)(status)
}

/** May another channel be tried? The owner's rules decide before the table's. */
export function mayRetry(failure: Failure, options: Options): boolean {
  const own = options.RetryRules.find((rule) => fitsOwn(rule, failure))
  const retry = own?.action ?? failure.retry
  return retry === 'as-options' ? retriesByOptions(failure, options) : retry === 'next'
}
