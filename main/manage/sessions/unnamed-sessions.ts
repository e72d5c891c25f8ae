import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../base/log/log.ts'
import { isWireFormat } from '../../convert/codecs.ts'
import { ConversationIndex } from '../../inspect/sessions/conversation-index.ts'
import { agentSession } from '../../relay/call/agent-session.ts'
import { type Call, isChannelTest } from '../../relay/call/call.ts'
import type { CallRow, Ledger } from '../../store/ledger/ledger.ts'
import { type RecalledFrom, recallSessions } from './recall-sessions.ts'
import { UNNAMED, unnamedCall } from './unnamed-call.ts'

/** Milliseconds after a call's end until it is looked at: its row is written by then, and its answer given. */
const REST = 30
/** Calls that may wait for that, and bytes of their bodies; further ones stay without a session. */
const MOST_WAITING = 64
const MOST_WAITING_BYTES = 16 * 1024 * 1024
/** Bytes that a call costs beside its body. */
const OVERHEAD = 20_000
/** Bytes that may be looked at in a row, and in a second of a flood: about a hundredth of a processor. */
const MOST_IN_A_ROW = 8 * 1024 * 1024
const MOST_A_SECOND = 1024 * 1024

interface Waiting {
  call: Call
  row: Pick<CallRow, 'requestId' | 'createdAt'>
}

/**
 * Finds the sessions of clients that name none, and writes them into the rows of the calls. Each call is looked at once,
 * a moment after its end; in a flood some are not.
 */
export class UnnamedSessions {
  readonly #ledger: Pick<Ledger, 'joinSession'>
  /** Null once the sessions of earlier runs are known. */
  #recalled: RecalledFrom | null
  readonly #log: Log
  readonly #index = new ConversationIndex()
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #timer: NodeJS.Timeout | null = null
  #isStopped = false
  /** So many bytes may be looked at as of `#earnedAt`. */
  #allowance = MOST_IN_A_ROW
  #earnedAt = 0

  constructor(
    ledger: Pick<Ledger, 'joinSession' | 'list'>,
    captures: RecalledFrom['captures'],
    log: Log,
  ) {
    this.#ledger = ledger
    this.#recalled = { ledger, captures }
    this.#log = log
  }

  /** Told of a call when its row is on its way to the ledger. */
  note(call: Call, row: Waiting['row']): void {
    const isRepeated = call.replayOf !== undefined || isChannelTest(call)
    if (call.verb !== 'generate' || isRepeated || !isWireFormat(call.format)) return
    const { size } = call.body
    if (this.#isStopped || this.#waiting.length >= MOST_WAITING) return
    if (this.#waitingBytes + size > MOST_WAITING_BYTES) return
    // Keeping every body would halve the calls per second in a flood of long ones (test/bench/README.md).
    if (!this.#mayLookAgain() || agentSession(call)) return
    this.#allowance -= size + OVERHEAD
    this.#waiting.push({ call, row })
    this.#waitingBytes += size
    this.#timer ??= setTimeout(() => void this.#look(), REST).unref()
  }

  async #look(): Promise<void> {
    const some = this.#waiting
    this.#waiting = []
    for (const { call, row } of some) {
      if (this.#isStopped) return
      this.#waitingBytes -= call.body.size
      await this.#recall()
      if (this.#isStopped) return
      this.#join(call, row)
      // Bodies may be large: calls go on between them.
      await nextTurn()
    }
    this.#timer =
      this.#waiting.length > 0 ? setTimeout(() => void this.#look(), REST).unref() : null
  }

  /** Before the first call that may go on from one of them. */
  async #recall(): Promise<void> {
    const from = this.#recalled
    if (!from) return
    this.#recalled = null
    try {
      await recallSessions(this.#index, from, () => this.#isStopped)
    } catch (error) {
      this.#log.debug({ error }, 'the sessions of earlier runs cannot be told')
    }
  }

  #mayLookAgain(): boolean {
    const now = performance.now()
    const earned = ((now - this.#earnedAt) / 1000) * MOST_A_SECOND
    this.#allowance = Math.min(MOST_IN_A_ROW, this.#allowance + earned)
    this.#earnedAt = now
    return this.#allowance >= 0
  }

  #join(call: Call, { requestId, createdAt }: Waiting['row']): void {
    try {
      const { user, token } = call.caller
      const { format, body, capture = null } = call
      const joined = this.#index.add(
        unnamedCall({
          ...{ requestId, createdAt, userId: user.id, tokenId: token?.id ?? 0 },
          ...{ format, body, capture },
        }),
      )
      if (!joined) return
      // Calls of different users are never one session.
      const key = { session: UNNAMED + joined.first, userId: user.id }
      this.#ledger.joinSession(key, joined.calls)
    } catch (error) {
      this.#log.debug({ error, request: requestId }, 'the session of a call cannot be told')
    }
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
  }
}
