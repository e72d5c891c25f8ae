import type { StoredCall } from '../../main/store/ledger/ledger.ts'
import { INPUT_RATIO, OUTPUT_RATIO } from '../faults/stage.ts'
import { planOf } from './call-plan.ts'
import type { SeenCall } from './make-calls.ts'
import type { CountedAttempt } from './upstream-process.ts'

/** Faults after which another vendor would say the same. */
const FINAL = new Set(['status 400'])
const UPSTREAMS = 3
const MOST_TOLD = 20

export interface Books {
  calls: readonly SeenCall[]
  rows: readonly StoredCall[]
  attempts: readonly CountedAttempt[]
  /** Units that the gateway says were used, by token name and by channel name. */
  tokens: Readonly<Record<string, number>>
  channels: Readonly<Record<string, number>>
}

interface RowFacts {
  upstream_request_id?: string
  estimated?: boolean
  cancelled?: boolean
  admin_info: { use_channel: string[] }
}

const unitsOf = (input: number, output: number) => input * INPUT_RATIO + output * OUTPUT_RATIO
const factsOf = ({ other }: StoredCall) => JSON.parse(other) as RowFacts

/** The attempt that a row names: `<call>-<upstream>-<place in the list, from 1>`. */
function attemptOf(row: StoredCall, attempts: readonly CountedAttempt[]): CountedAttempt | null {
  const place = Number(factsOf(row).upstream_request_id?.split('-')[2])
  return attempts[place - 1] ?? null
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** Compares what clients saw, vendors counted and the ledger holds; keeps what does not agree. */
class Comparison {
  readonly #problems = new Map<string, string[]>()
  readonly #books: Books
  readonly #charged = new Set<CountedAttempt>()

  constructor(books: Books) {
    this.#books = books
  }

  #demand(holds: boolean, kind: string, what: () => string): void {
    if (holds) return
    const list = this.#problems.get(kind) ?? []
    this.#problems.set(kind, list)
    list.push(what())
  }

  run(): string[] {
    const { calls, rows, attempts } = this.#books
    const byId = groupBy(rows, ({ requestId }) => requestId)
    for (const [id, { length }] of byId)
      this.#demand(length === 1, 'a call with several rows', () => `${id}: ${length}`)
    const attemptsOf = groupBy(attempts, ({ call }) => call)
    const claimed = new Set<string>()
    for (const call of calls) {
      this.#demand(
        call.outcome !== 'wrong',
        'what a client cannot take',
        () => `call ${call.number}, status ${call.status}: ${call.note}`,
      )
      const row = call.id === '' ? undefined : byId.get(call.id)?.[0]
      if (call.id === '') continue
      claimed.add(call.id)
      this.#demand(row !== undefined, 'a call without a row', () => `call ${call.number}`)
      if (row) this.#compare(call, row, attemptsOf.get(call.number) ?? [])
    }
    const unclaimed = rows.filter(({ requestId }) => !claimed.has(requestId))
    for (const row of unclaimed) this.#compareLeft(row)
    // A client that leaves at once may not know its call's id; all others do.
    const silent = calls.filter(({ id, outcome }) => id === '' && outcome === 'left').length
    this.#demand(
      unclaimed.length <= silent,
      'rows of calls that nobody made',
      () => `${unclaimed.length} rows, ${silent} clients that left before they heard anything`,
    )
    // An answer that a vendor delivered whole is charged, unless its client had left.
    const gone = new Set(calls.filter(({ outcome }) => outcome === 'left').map((one) => one.number))
    for (const attempt of attempts) {
      if (!attempt.isDelivered || gone.has(attempt.call)) continue
      this.#demand(this.#charged.has(attempt), 'delivered and not charged', () =>
        JSON.stringify(attempt),
      )
    }
    this.#compareSums()
    return [...this.#problems].map(
      ([kind, list]) =>
        `${kind} (${list.length}):\n${list
          .slice(0, MOST_TOLD)
          .map((one) => `    ${one}`)
          .join('\n')}`,
    )
  }

  /** A row whose call's client has heard of. */
  #compare(call: SeenCall, row: StoredCall, attempts: readonly CountedAttempt[]): void {
    const told = () =>
      `call ${call.number} (${call.outcome}, ${call.status}), row ${row.requestId}: type ${row.type}, ${row.promptTokens} + ${row.completionTokens} tokens, ${row.quota} units, ${row.other}`
    if (call.outcome === 'whole') this.#compareWhole(row, told)
    else if (call.outcome === 'refused') {
      this.#demand(
        row.type === 5 && row.quota === 0 && row.status === call.status,
        'refused, and booked otherwise',
        told,
      )
      this.#demand(this.#mayFail(call, row, attempts), 'noticed by the client without need', told)
    } else if (call.outcome === 'cut') this.#comparePart(row, told)
    else if (call.outcome === 'left') this.#compareLeft(row)
  }

  #compareWhole(row: StoredCall, told: () => string): void {
    const attempt = attemptOf(row, this.#books.attempts)
    this.#demand(row.type === 2 && attempt !== null, 'answered, and booked otherwise', told)
    if (!attempt) return
    const { input, output } = attempt
    const isExact = row.promptTokens === input && row.completionTokens === output
    this.#demand(
      isExact && row.quota === unitsOf(input, output),
      'not what the vendor counted',
      () => `${told()}, vendor ${input} + ${output}`,
    )
    this.#charge(attempt, told)
  }

  /** An answer that was cut: what the vendor had told by then, and the rest counted. */
  #comparePart(row: StoredCall, told: () => string): void {
    const { promptTokens: input, completionTokens: output, quota } = row
    this.#demand(row.type === 2, 'a part, and not charged', told)
    this.#demand(quota === unitsOf(input, output), 'units that are not those of the tokens', told)
    const attempt = attemptOf(row, this.#books.attempts)
    if (!attempt) return
    const isTold = attempt.upstream !== 'a'
    this.#demand(
      !isTold || input === attempt.input,
      'a prompt that is not what the vendor told',
      () => `${told()}, vendor ${attempt.input}`,
    )
    const isWhole = output === attempt.output
    this.#demand(isWhole || factsOf(row).estimated === true, 'counted, and not called so', told)
    this.#charge(attempt, told)
  }

  /** The client left: nothing, a part, or all of it where that was there in time. */
  #compareLeft(row: StoredCall): void {
    const told = () =>
      `row ${row.requestId}: type ${row.type}, status ${row.status}, ${row.promptTokens} + ${row.completionTokens} tokens, ${row.quota} units, ${row.other}`
    if (row.type === 5) {
      this.#demand(row.quota === 0, 'left, and charged for nothing', told)
      return
    }
    // An answer that its vendor broke off says so, even if nobody was there any more to be told.
    if (row.status === 499 || row.content !== '') this.#comparePart(row, told)
    else this.#compareWhole(row, told)
  }

  #charge(attempt: CountedAttempt, told: () => string): void {
    this.#demand(!this.#charged.has(attempt), 'charged twice', told)
    this.#charged.add(attempt)
  }

  /** Is there a reason why this call could not be answered? */
  #mayFail({ number }: SeenCall, row: StoredCall, attempts: readonly CountedAttempt[]): boolean {
    if (attempts.length === 0) return planOf(number).token === 'tight' && row.channelId === 0
    const last = attempts.at(-1)?.fault ?? ''
    return FINAL.has(last) || attempts.length === UPSTREAMS
  }

  #compareSums(): void {
    const { rows, tokens, channels } = this.#books
    const compare = (
      kind: string,
      nameOf: (row: StoredCall) => string,
      said: Readonly<Record<string, number>>,
    ) => {
      for (const [name, of] of groupBy(rows, nameOf)) {
        if (name === '') continue
        const sum = of.reduce((total, { quota }) => total + quota, 0)
        this.#demand(
          said[name] === sum,
          `the sum of a ${kind}`,
          () => `${name}: said ${said[name]}, rows ${sum}`,
        )
      }
    }
    compare('token', ({ tokenName }) => tokenName, tokens)
    compare('channel', ({ channelName }) => channelName, channels)
  }
}

/** Everything in which the books differ, a paragraph a kind; empty where they are equal to the unit. */
export const compareBooks = (books: Books): string[] => new Comparison(books).run()
