import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Cancellation } from '../../../../main/base/cancellation.ts'
import { GatewayError } from '../../../../main/base/errors.ts'
import type { Call } from '../../../../main/relay/call/call.ts'
import { CallRecord } from '../../../../main/relay/call/call-record.ts'
import { CallSlots } from '../../../../main/relay/limits/call-slots.ts'
import { OpenCalls } from '../../../../main/relay/limits/open-calls.ts'

const ROOM = 3
const PLACES = 6
const TOKENS = [1, 2, 3, 4]

interface Entered {
  token: number
  record: CallRecord
  cancellation: Cancellation
  state: 'waiting' | 'in' | 'refused' | 'over'
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('enter' as const),
      token: fc.constantFrom(1, 1, 1, ...TOKENS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('end' as const), which: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('leave' as const), which: fc.nat(30) }) },
)

/** Slots for three calls, places for six that wait, and what came of all that wanted in. */
class Stage {
  readonly #slots = new CallSlots(
    () => ({ MaxConcurrentCalls: ROOM, MaxWaitingCalls: PLACES, MaxWaitingSeconds: 60 }),
    new OpenCalls(),
  )
  readonly #all: Entered[] = []
  /** Since when a token has had calls waiting, and when its turn was last; counted in turns. */
  readonly #waitsSince = new Map<number, number>()
  readonly #lastTurn = new Map<number, number>()
  #turns = 0

  of(state: Entered['state'], token?: number): Entered[] {
    return this.#all.filter(
      (one) => one.state === state && (token === undefined || one.token === token),
    )
  }

  async run(one: typeof step extends fc.Arbitrary<infer Step> ? Step : never): Promise<void> {
    if (one.does === 'enter') this.#enter(one.token)
    if (one.does === 'end') this.#leave(this.of('in'), one.which)
    if (one.does === 'leave') this.#leave(this.of('waiting'), one.which)
    // A call that is let in or refused hears of it in a moment.
    await new Promise(setImmediate)
    this.#check()
  }

  #enter(token: number): void {
    const record = new CallRecord(false, () => Promise.resolve())
    const cancellation = new Cancellation()
    const entered: Entered = { token, record, cancellation, state: 'waiting' }
    const call = { caller: { token: { id: token } }, cancellation } as Call
    const waitingBefore = this.of('waiting')
    this.#all.push(entered)
    try {
      const turn = this.#slots.enter(call, record)
      if (turn === null) entered.state = 'in'
      else
        turn.then(
          () => this.#turn(entered),
          () => (entered.state = 'refused'),
        )
    } catch (error) {
      expect(error).toMatchObject({ code: 'gateway_busy' })
      entered.state = 'refused'
      expect(waitingBefore).toHaveLength(PLACES)
    }
  }

  /** A call's turn has come: it is the first of its token's, and no other token waits for the second time. */
  #turn(entered: Entered): void {
    const { token } = entered
    expect(this.of('waiting', token)[0]).toBe(entered)
    entered.state = 'in'
    const last = this.#lastTurn.get(token)
    for (const [other, since] of this.#waitsSince) {
      if (other === token || last === undefined || since >= last) continue
      expect(this.#lastTurn.get(other) ?? -1).toBeGreaterThan(last)
    }
    this.#lastTurn.set(token, ++this.#turns)
  }

  #leave(those: readonly Entered[], which: number): void {
    const one = those[which % Math.max(1, those.length)]
    if (!one) return
    if (one.state === 'waiting') {
      one.cancellation.cancel(new GatewayError('client_gone', { message: 'Gone.' }))
    } else one.state = 'over'
    // As settling does, once or more often.
    this.#slots.leave(one.record)
    this.#slots.leave(one.record)
  }

  #check(): void {
    const [inside, waiting] = [this.of('in'), this.of('waiting')]
    expect([this.#slots.active, this.#slots.waiting]).toEqual([inside.length, waiting.length])
    expect(inside.length).toBeLessThanOrEqual(ROOM)
    expect(waiting.length).toBeLessThanOrEqual(PLACES)
    if (waiting.length > 0) expect(inside).toHaveLength(ROOM)
    for (const token of TOKENS) {
      if (this.of('waiting', token).length === 0) this.#waitsSince.delete(token)
      else if (!this.#waitsSince.has(token)) this.#waitsSince.set(token, this.#turns)
    }
  }
}

test('in any order of calls: never too many at once, none forgotten, tokens in turn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const stage = new Stage()
      for (const one of steps) await stage.run(one)
      while (stage.of('in').length > 0) await stage.run({ does: 'end', which: 0 })
      expect([stage.of('in'), stage.of('waiting')]).toEqual([[], []])
    }),
    { numRuns: 200 },
  )
})

/** One slot and this many places to wait, by a clock that stands still. */
function atOneSlot(MaxWaitingCalls: number) {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const slots = new CallSlots(
    () => ({ MaxConcurrentCalls: 1, MaxWaitingCalls, MaxWaitingSeconds: 9999 }),
    new OpenCalls(),
  )
  const records: CallRecord[] = []
  const waiting: Cancellation[] = []
  return {
    enter(token: number) {
      const [record, cancellation] = [
        new CallRecord(false, () => Promise.resolve()),
        new Cancellation(),
      ]
      const call = { caller: { token: { id: token } }, cancellation } as Call
      slots.enter(call, record)?.catch(() => {})
      records.push(record)
      waiting.push(cancellation)
    },
    endAfter(milliseconds: number) {
      now += milliseconds
      const record = records.shift()
      if (record) slots.leave(record)
    },
    leaveAll() {
      for (const one of waiting) one.cancel(new GatewayError('client_gone', { message: 'Gone.' }))
      expect(slots.waiting).toBe(0)
    },
  }
}

test('however slowly calls end, one that finds no place is told to come back within a minute', async () => {
  const { enter, endAfter, leaveAll } = atOneSlot(2)
  for (const token of [1, 2, 3]) enter(token)
  endAfter(0)
  enter(4)
  endAfter(100_000)
  enter(5)
  expect(() => enter(6)).toThrow('Try again in 60 s.')
  leaveAll()
})

test('while calls end every two seconds, one that finds no place hears when the queue has passed', async () => {
  const { enter, endAfter, leaveAll } = atOneSlot(3)
  for (const token of [1, 2, 3, 4]) enter(token)
  for (let token = 5; token < 15; token++) {
    endAfter(2_000)
    enter(token)
  }
  // Three wait before it.
  expect(() => enter(15)).toThrow('Try again in 8 s.')
  leaveAll()
})
