import { isDeepStrictEqual } from 'node:util'
import { keyLines } from '../../../relay/channel/channel-keys.ts'
import type { Channel, ChannelChange } from '../../../store/records/channels.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { keyStatesOf } from '../channel-key-states.ts'

/** Fields that decide where a channel's calls go and their shape there. */
const ways = [
  'type',
  'baseUrl',
  'other',
  'models',
  'modelMapping',
  'paramOverride',
  'headerOverride',
  'openaiOrganization',
  'setting',
  'settings',
  'preset',
  'multiKeyMode',
] as const satisfies readonly (keyof Channel)[]

/** Do calls go elsewhere, with another key, or in another shape? */
function isChanged(before: Channel, after: Channel): boolean {
  if (after.multiKeyMode === null && after.key !== before.key) return true
  return ways.some((name) => !isDeepStrictEqual(before[name], after[name]))
}

/** Is what was known of its calls worth nothing any more? */
const isAnother = (before: Channel, after: Channel): boolean =>
  (after.status === 1 && before.status !== 1) || isChanged(before, after)

const untested = { testTime: 0, responseTime: 0, lastTest: null } as const

/** The keys of a channel of several that are gone, or enabled again. */
function otherKeys(before: Channel, after: Channel): string[] {
  const keys = keyLines(after.key)
  const states = keyStatesOf(after)
  const statesBefore = keyStatesOf(before)
  return keyLines(before.key).filter((key, index) => {
    const state = states[keys.indexOf(key)]
    return state === undefined || (state.status === 1 && statesBefore[index]?.status !== 1)
  })
}

/**
 * Drops what was known against channels that a person has just changed, as far as the change is about it: a
 * new name drops nothing, a key that is enabled again only its own. Takes the channels as they were before.
 */
export function forgetChanged(changed: readonly Channel[], parts: GatewayParts): void {
  const retest: ChannelChange[] = []
  for (const before of changed) {
    const after = parts.channels.byId(before.id)
    if (after === before) continue
    // A list of models says nothing of whether the vendor answers.
    if (after && after.testTime > 0 && isChanged(before, { ...after, models: before.models })) {
      retest.push({ id: before.id, fields: untested })
    }
    if (!after || isAnother(before, after)) {
      parts.incidents.forgetChannel(before.id)
      parts.health.forget(before.id)
      continue
    }
    if (after.multiKeyMode === null) continue
    if (after.key === before.key && after.keyStates === before.keyStates) continue
    for (const key of otherKeys(before, after)) parts.health.forget(before.id, key)
  }
  parts.channels.updateMany(retest)
}
