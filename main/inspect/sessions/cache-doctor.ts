import { type CacheCause, cacheCause, changedSetting, type PromptedCall } from './cache-cause.ts'
import type { SettingChange } from './cache-settings.ts'
import { comparePrompts, type PromptComparison } from './compare-prompts.ts'
import type { SessionCall } from './session-call.ts'

/** A call's prompt compared with the one before it in its line, and how much of it came from the cache. */
export interface CacheFinding {
  requestId: string
  /** The call before it. */
  previousId: string
  /** Null where one of both was not captured. */
  comparison: PromptComparison | null
  /** Tokens, as the vendor reported them. */
  input: number
  cached: number
  /** Tokens of the call before that were read anew. */
  missed: number
  /** Null where nearly all was cached that could be. */
  cause: CacheCause | null
  /** The setting that is the cause. */
  setting: SettingChange | null
  /** Units more than with a hit; null where that has no price. */
  cost: number | null
}

/** Calls that missed for one reason at one place. */
export interface CauseSum {
  cause: CacheCause
  path: string | null
  calls: number
  missed: number
  /** Units. */
  cost: number | null
}

export interface Diagnosis {
  findings: CacheFinding[]
  /** Calls that had one before them. */
  compared: number
  input: number
  cached: number
  missed: number
  cost: number | null
  /** The one that cost most tokens first. */
  causes: CauseSum[]
}

interface DoctorTools {
  /** Units that a miss of so many tokens cost; null without a price. */
  costOf(call: SessionCall, missed: number): number | null
  /** Fewest tokens that the vendor of this model caches. */
  minimumOf(model: string): number
}

/** Vendors count in blocks, and the end of a prompt is not always kept. */
const LEAST_MISSED = 256
const MISSED_SHARE = 0.1

/** Calls of one agent that follow each other. */
export class CacheDoctor {
  readonly #tools: DoctorTools
  readonly #last = new Map<string, PromptedCall>()
  readonly #findings: CacheFinding[] = []
  readonly #isEverCached: boolean
  #input = 0
  #cached = 0

  constructor(tools: DoctorTools, isEverCached: boolean) {
    this.#tools = tools
    this.#isEverCached = isEverCached
  }

  /** Takes the session's next call in; `line` is its agent's, in which it follows others. */
  add(now: PromptedCall, line: string): void {
    const { call } = now
    if (call.isError || call.input === 0) return
    if (this.#isKnown(call)) {
      this.#input += call.input
      this.#cached += call.cachedInput
    }
    const before = this.#last.get(line)
    this.#last.set(line, now)
    if (before) this.#findings.push(this.#examine(before, now))
  }

  /** Where others were cached, an estimate without cached tokens tells nothing of the cache. */
  #isKnown({ isEstimated, cachedInput, cacheWrite }: SessionCall): boolean {
    return !isEstimated || cachedInput + cacheWrite > 0 || !this.#isEverCached
  }

  #examine(before: PromptedCall, now: PromptedCall): CacheFinding {
    const { call } = now
    const comparison =
      before.prompt && now.prompt ? comparePrompts(before.prompt, now.prompt) : null
    const possible = Math.min(before.call.input, call.input)
    const missed = this.#isKnown(call) ? Math.max(0, possible - call.cachedInput) : 0
    const isMiss = missed >= Math.max(LEAST_MISSED, possible * MISSED_SHARE)
    const facts = {
      minimum: this.#tools.minimumOf(call.model),
      isEverCached: this.#isEverCached,
    }
    const cause = isMiss ? cacheCause(before, now, comparison, facts) : null
    return {
      requestId: call.requestId,
      previousId: before.call.requestId,
      comparison,
      ...{ input: call.input, cached: call.cachedInput, missed },
      cause,
      setting: cause === 'setting-changed' ? changedSetting(before, now) : null,
      cost: this.#tools.costOf(call, missed),
    }
  }

  diagnose(): Diagnosis {
    const findings = this.#findings
    const causes = sumCauses(findings)
    const total = (value: (sum: CauseSum) => number) =>
      causes.reduce((sum, one) => sum + value(one), 0)
    return {
      findings,
      compared: findings.length,
      ...{ input: this.#input, cached: this.#cached },
      missed: total(({ missed }) => missed),
      cost: causes.every(({ cost }) => cost === null) ? null : total(({ cost }) => cost ?? 0),
      causes,
    }
  }
}

/** Causes that lie in the prompt, and so have a place there. */
const placed = new Set<CacheCause>([
  ...(['billing-header', 'tool-order', 'tools-changed', 'tool-edited', 'timestamp'] as const),
  ...(['machine', 'identifier', 'system-edited'] as const),
])

const placeOf = (cause: CacheCause, { setting, comparison }: CacheFinding): string | null =>
  setting?.path ?? (placed.has(cause) ? (comparison?.departure?.path ?? null) : null)

function sumCauses(findings: readonly CacheFinding[]): CauseSum[] {
  const sums = new Map<string, CauseSum>()
  for (const finding of findings) {
    const { cause, missed, cost } = finding
    if (cause === null) continue
    const path = placeOf(cause, finding)
    const key = `${cause} ${path}`
    const sum = sums.get(key) ?? { cause, path, calls: 0, missed: 0, cost: null }
    sum.calls++
    sum.missed += missed
    if (cost !== null) sum.cost = (sum.cost ?? 0) + cost
    sums.set(key, sum)
  }
  return [...sums.values()].sort((one, other) => other.missed - one.missed)
}
