import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Blame } from '../../../../main/relay/circuit/circuit.ts'
import type { CircuitState, Watch } from '../../../../main/relay/circuit/health.ts'
import { nameOf, withClock } from './health-clock.ts'

const KEYS = ['a', 'b'] as const
const MODELS = ['m', 'n'] as const
const PAIRS = KEYS.flatMap((key) => MODELS.map((model) => ({ key, model })))

const which = fc.nat(20)
const of = fc.constantFrom(...PAIRS)
const always = <Value>(value: Value) => fc.constant(value)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: always('begin' as const), of }) },
  { weight: 3, arbitrary: fc.record({ does: always('answer' as const), which }) },
  { weight: 3, arbitrary: fc.record({ does: always('leave' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: always('fail' as const),
      which,
      blame: fc.constantFrom<Blame>('channel', 'key', 'model'),
      retryAfter: fc.option(fc.constantFrom(0.5, 3, 30, 7200), { freq: 2 }),
      isAtOnce: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: always('pass' as const),
      seconds: fc.constantFrom(0.1, 1, 5, 9, 20, 59),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: always('forget' as const),
      key: fc.constantFrom(null, ...KEYS),
    }),
  },
)
const steps = fc.array(step, { minLength: 20, maxLength: 150 })

interface Attempt {
  watch: Watch
  key: string
  model: string
}

const isAskable = (circuit: CircuitState) => /closed|half-open/.test(nameOf(circuit))
const endOf = (circuit: CircuitState) => (circuit.state === 'open' ? circuit.until : 0)

/** A channel of two keys and two models, and what is under way at it. */
function stage() {
  const clock = withClock({ ChannelFailureCount: 2 })
  const { health, now, pass } = clock
  let open: Attempt[] = []
  const circuit = ({ key, model }: (typeof PAIRS)[number]) => health.ofKey(1, key, model)

  /** Takes the attempt that `index` picks out of the open ones: it is over. */
  function take(index: number): Attempt | undefined {
    return open.splice(index % Math.max(1, open.length), 1)[0]
  }

  function run(one: typeof step extends fc.Arbitrary<infer Step> ? Step : never): void {
    if (one.does === 'begin') {
      const state = nameOf(circuit(one.of))
      open.push({ watch: health.watch(1, one.of.key, one.of.model), ...one.of })
      if (state === 'half-open') expect(nameOf(circuit(one.of))).toBe('probing')
      return
    }
    if (one.does === 'pass') {
      const before = PAIRS.map(circuit)
      pass(one.seconds)
      for (const [index, pair] of PAIRS.entries()) {
        const end = endOf(before[index] as CircuitState)
        if (end > now()) expect(circuit(pair).state).toBe('open')
      }
      return
    }
    if (one.does === 'forget') {
      health.forget(1, one.key)
      // Attempts that began before report to nobody.
      if (one.key === null) open = []
      return
    }
    const attempt = take(one.which)
    if (!attempt) return
    const { watch, key, model } = attempt
    if (one.does === 'answer') watch.answered()
    if (one.does === 'fail') {
      watch.failed({ ...one, reason: 'no' })
      const { retryAfter } = one
      if (retryAfter !== null) {
        const rest = health.ofKey(1, key, model)
        expect(rest).toMatchObject({ state: 'open', isHinted: true })
        expect(endOf(rest)).toBeGreaterThanOrEqual(now() + Math.min(retryAfter, 3600) * 1000)
      }
    }
    watch.release()
  }

  /** A channel may be asked if one of its keys may. */
  function checkChannel(): void {
    for (const model of MODELS) {
      const ofChannel = health.ofChannel({ id: 1 }, KEYS, model)
      const ofKeys = KEYS.map((key) => health.ofKey(1, key, model))
      expect(isAskable(ofChannel)).toBe(ofKeys.some(isAskable))
    }
  }

  return {
    ...clock,
    circuit,
    run,
    checkChannel,
    leaveAll: () => {
      for (const { watch } of open) watch.release()
    },
  }
}

test('whatever comes in whatever order: one probe at a time, given back; hints kept; all closed in the end', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { run, checkChannel, leaveAll, circuit, pass } = stage()
      for (const one of all) {
        run(one)
        checkChannel()
      }
      leaveAll()
      for (const pair of PAIRS) expect(nameOf(circuit(pair))).not.toBe('probing')
      pass(3600 + 200)
      for (const pair of PAIRS) expect(circuit(pair).state).toBe('closed')
    }),
    { numRuns: 500 },
  )
})
