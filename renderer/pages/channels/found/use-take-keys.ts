import { useRef, useState } from 'react'
import { useAction } from '../../../gateway/queries.ts'
import type { ChannelCheck, FoundKey } from '../../../gateway/records.ts'
import type { PassedCheck } from '../form/channel-form.tsx'

/** Fields that the user types: neither the key's place nor its vendor gives them. */
export interface KeyFacts {
  base_url?: string
  models?: string
}

export interface KeyOutcome {
  isTaken: boolean
  check?: ChannelCheck
}

/** Takes found keys one after the other, each checked first. */
export function useTakeKeys() {
  const action = useAction('transfer.take')
  /** By the key's id. */
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, KeyOutcome>>>({})
  const [current, setCurrent] = useState<FoundKey | null>(null)
  const [last, setLast] = useState<FoundKey | null>(null)
  const passed = useRef<PassedCheck[]>([])
  const isStopped = useRef(false)

  /** Null where it was stopped, or couldn't be sent. */
  const take = async (key: FoundKey, facts: KeyFacts, check: boolean) => {
    setCurrent(key)
    setLast(key)
    setOutcomes(({ [key.id]: _before, ...others }) => others)
    const reply = await action.run({ ids: [key.id], check, ...facts })
    setCurrent(null)
    if (!reply) return null
    const result = reply.data.checks[0]?.check
    const outcome = { isTaken: reply.data.ids.length > 0, ...(result && { check: result }) }
    if (outcome.isTaken && result) passed.current.push({ name: key.name, result })
    setOutcomes((others) => ({ ...others, [key.id]: outcome }))
    return outcome
  }

  return {
    outcomes,
    /** The key that is being checked. */
    current,
    passed: passed.current,
    failure: action.failure,
    /** The key that `failure` is of. */
    last,
    /** Ends at what can't be sent; a key that is refused doesn't end it. True if all were taken. */
    async takeAll(
      keys: readonly FoundKey[],
      factsOf: (key: FoundKey) => KeyFacts,
      check: boolean,
    ): Promise<boolean> {
      isStopped.current = false
      let areAllTaken = true
      for (const key of keys) {
        const outcome = isStopped.current ? null : await take(key, factsOf(key), check)
        if (!outcome) return false
        areAllTaken &&= outcome.isTaken
      }
      return areAllTaken
    },
    cancel() {
      isStopped.current = true
      action.cancel()
      setCurrent(null)
    },
  }
}
