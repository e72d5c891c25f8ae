import { GatewayError } from '../../../base/errors.ts'
import { keychainLocked } from '../../../base/keychain-locked.ts'
import type { Channel } from '../../../store/records/channels.ts'

/** Throws where a channel's key cannot be read: `keychain_locked` for now, `conflict` for good, saying what to do. */
export function requireReadableKey(
  { name, keyUnreadable, isLocked }: Pick<Channel, 'name' | 'keyUnreadable' | 'isLocked'>,
  { remedy, field }: { remedy: string; field?: string },
): void {
  if (isLocked) throw keychainLocked()
  if (!keyUnreadable) return
  throw new GatewayError('conflict', {
    message: `The key of "${name}" cannot be read any more. ${remedy}`,
    ...(field !== undefined && { field }),
    reason: { code: 'channel_key_unreadable', channel: name },
  })
}
