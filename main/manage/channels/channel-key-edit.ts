import { z } from 'zod'
import { keyLines } from '../../relay/channel/channel-keys.ts'
import type { Channel } from '../../store/records/channels.ts'
import { keyChange, statesFor } from './channel-key-states.ts'
import { requireReadableKey } from './save/unreadable-key.ts'

/** How one of several keys is taken for a call; empty and null mean that nothing is said of it. */
export const multiKeyMode = z
  .enum(['random', 'polling', ''], 'must be "random" or "polling"')
  .nullable()
  .transform((mode) => mode || undefined)
  .optional()

/** The part of a channel's change that concerns its keys. */
interface KeyInput {
  /** One a line; '' keeps what is stored. */
  key?: string | undefined
  key_mode?: 'append' | 'replace' | '' | undefined
  multi_key_mode?: 'random' | 'polling' | undefined
}

/** The keys of a text, each once: of the same key twice only one could be disabled. */
const distinctKeys = (key: string): string[] => [...new Set(keyLines(key))]

/** The key fields of a new channel that holds several keys. */
export const severalKeys = (
  key: string,
  mode: 'random' | 'polling' = 'random',
): Pick<Channel, 'key' | 'multiKeyMode' | 'keyStates'> => ({
  key: distinctKeys(key).join('\n'),
  multiKeyMode: mode,
  keyStates: [],
})

/**
 * The fields of a channel that a change of its keys brings. A channel of one key comes to have several when
 * one is appended, or when several are entered together with how one of them is to be taken.
 */
export function keyFields(channel: Channel, input: KeyInput): Partial<Channel> {
  const { key = '', key_mode: keyMode, multi_key_mode: mode } = input
  const hasSeveral = channel.multiKeyMode !== null
  if (key === '') return hasSeveral && mode ? { multiKeyMode: mode } : {}
  if (keyMode === 'append') {
    const remedy = 'Enter all of its keys again, with key_mode "replace".'
    requireReadableKey(channel, { remedy, field: 'key_mode' })
  }
  const keys = distinctKeys(keyMode === 'append' ? `${channel.key}\n${key}` : key)
  const becomesSeveral = keys.length > 1 && (keyMode === 'append' || mode !== undefined)
  if (!hasSeveral && !becomesSeveral) return { key }
  return {
    ...keyChange(channel, keys, statesFor(keys, channel)),
    multiKeyMode: mode ?? channel.multiKeyMode ?? 'random',
  }
}
