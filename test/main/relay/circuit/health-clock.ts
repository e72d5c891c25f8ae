import type { CircuitSettings } from '../../../../main/relay/circuit/circuit.ts'
import {
  type CircuitFailure,
  type CircuitState,
  Health,
} from '../../../../main/relay/circuit/health.ts'

const options: CircuitSettings = {
  ChannelFailureCount: 3,
  ChannelFailureWindowSeconds: 60,
  ChannelCooldownSeconds: 10,
  ChannelCooldownMaxSeconds: 100,
}

export const nameOf = (circuit: CircuitState): CircuitState['state'] | 'probing' =>
  circuit.state === 'half-open' && circuit.isProbing ? 'probing' : circuit.state

/** A health whose time the test moves, in seconds. */
export function withClock(own: Partial<CircuitSettings> = {}) {
  const settings = { ...options, ...own }
  let now = 1_000_000
  const health = new Health(
    () => settings,
    () => now,
  )
  return {
    health,
    settings,
    now: () => now,
    pass: (seconds: number) => {
      now += seconds * 1000
    },
    fail(failure: Partial<CircuitFailure> = {}, key = 'a', model = 'm', id = 1) {
      const watch = health.watch(id, key, model)
      watch.failed({
        ...{ blame: 'key', reason: 'no', retryAfter: null, isAtOnce: false },
        ...failure,
      })
      watch.release()
    },
    answer(key = 'a', model = 'm', id = 1) {
      const watch = health.watch(id, key, model)
      watch.answered()
      watch.release()
    },
    /** `probing` for a half-open circuit while its probe is under way. */
    state: (key = 'a', model = 'm') => nameOf(health.ofKey(1, key, model)),
    /** Seconds until it is over. */
    left(key = 'a', model = 'm') {
      const circuit = health.ofKey(1, key, model)
      return circuit.state === 'open' ? (circuit.until - now) / 1000 : null
    },
  }
}

export const repeat = (times: number, act: () => void) => {
  for (let time = 0; time < times; time++) act()
}
