import { unixSeconds } from '../base/clock.ts'
import { requestId } from '../base/ids.ts'
import { enabledKeys, keyLines } from '../relay/channel-keys.ts'
import { disableReason } from '../relay/disable-rule.ts'
import type { FailedAttempt } from '../relay/failed-attempt.ts'
import type { Channel } from '../store/channels.ts'
import { keyChange, keyStatesOf, statusNote } from './channel-key-states.ts'
import { eventRow } from './event-row.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { findOwner } from './owner.ts'

/** Why a channel is to be disabled, and which of its keys has shown it; null where none did. */
interface Cause {
  text: string
  /** It would not help to keep it: see DisableReason. */
  isFinal: boolean
  key: string | null
}

/** A channel that is kept although it should go is told of once in so many seconds. */
const WARNING_PAUSE = 600
const warnedAt = new WeakMap<Channel, number>()

const quoted = ({ id, name }: Channel): string => `channel "${name}" (${id})`

/** Tells the owner by a row of the log, and the consoles by an event. */
function tell(channel: Channel, sentence: string, parts: GatewayParts): void {
  parts.log.warn({ channel: channel.id }, sentence)
  parts.events.emit('server')
  const owner = findOwner(parts.users)
  if (!owner) return
  const row = eventRow(4, owner, sentence, {
    requestId: requestId(),
    ip: '',
    other: { channel_id: channel.id },
  })
  const named = { ...row, channelId: channel.id, channelName: channel.name }
  parts.ledger.record(named).catch((error: unknown) => {
    parts.log.error({ err: error }, 'a change of a channel could not be logged')
  })
}

/** A model that nothing else enabled serves in one of the channel's groups. */
const onlyServedBy = (channel: Channel, { channels }: GatewayParts): string | undefined =>
  channel.models.find((model) =>
    channel.groups.some((group) => {
      const serving = channels.serving(group, model)
      return serving.length === 1 && serving[0]?.id === channel.id
    }),
  )

/** The last way to a model stays open while it may still work; its owner is told. */
function keepsForModel(channel: Channel, cause: Cause, parts: GatewayParts): boolean {
  if (cause.isFinal) return false
  const model = onlyServedBy(channel, parts)
  if (model === undefined) return false
  const now = unixSeconds()
  if ((warnedAt.get(channel) ?? 0) + WARNING_PAUSE > now) return true
  warnedAt.set(channel, now)
  const sentence = `Kept ${quoted(channel)} enabled, since nothing else serves "${model}", although: ${cause.text}`
  tell(channel, sentence, parts)
  return true
}

function disable(channel: Channel, cause: Cause, parts: GatewayParts): void {
  const keys = keyLines(channel.key)
  const index = cause.key === null ? -1 : keys.indexOf(cause.key)
  // The key was edited meanwhile: what it did says nothing of the new one.
  if (cause.key && index === -1) return
  if (channel.multiKeyMode !== null && index >= 0) {
    const states = keyStatesOf(channel)
    if (states[index]?.status !== 1) return
    const isLast = enabledKeys(channel).length === 1
    if (isLast && keepsForModel(channel, cause, parts)) return
    states[index] = { status: 3, reason: cause.text, time: unixSeconds() }
    parts.channels.update(channel.id, keyChange(channel, keys, states))
    const rest = isLast ? ' It was its last: the channel is disabled.' : ''
    const sentence = `Disabled key ${index + 1} of ${quoted(channel)}: ${cause.text}${rest}`
    tell(channel, sentence, parts)
    return
  }
  if (keepsForModel(channel, cause, parts)) return
  parts.channels.update(channel.id, { status: 3, otherInfo: statusNote(cause.text) })
  tell(channel, `Disabled ${quoted(channel)}: ${cause.text}`, parts)
}

/** What goes wrong here must not make the call fail that it happened on. */
function guarded(parts: GatewayParts, act: () => void): void {
  try {
    act()
  } catch (error) {
    parts.log.error({ err: error }, 'the status of a channel could not be changed')
  }
}

/** The channel as it is now, if the gateway may disable it at all. */
function disableable(id: number, { channels, settings }: GatewayParts): Channel | null {
  if (!settings.current.AutomaticDisableChannelEnabled) return null
  const channel = channels.byId(id)
  return channel?.status === 1 && channel.autoBan === 1 ? channel : null
}

/**
 * Disables a channel, or the key that was used, when what an attempt at it failed of is a reason to
 * (management-api §5.4). Some vendors quote the key that they refuse: it is taken out of the reason.
 */
export function disableFailed(
  { channelId, key, failure }: FailedAttempt,
  parts: GatewayParts,
): void {
  const channel = disableable(channelId, parts)
  const reason = channel && disableReason(failure, channel.type, parts.settings.current)
  if (!channel || !reason) return
  const text = key ? reason.text.replaceAll(key, '***') : reason.text
  guarded(parts, () => disable(channel, { ...reason, text, key }, parts))
}

/** Disables a channel for what a test or its balance has shown. */
export function disableFor(id: number, text: string, parts: GatewayParts): void {
  const channel = disableable(id, parts)
  if (channel) guarded(parts, () => disable(channel, { text, isFinal: false, key: null }, parts))
}

/**
 * Enables a channel that the gateway had disabled, after a test of it has passed; of one whose keys are all
 * disabled, the key that passed.
 */
export function enableAgain(id: number, key: string, parts: GatewayParts): void {
  const channel = parts.channels.byId(id)
  if (channel?.status !== 3 || !parts.settings.current.AutomaticEnableChannelEnabled) return
  guarded(parts, () => {
    const keys = keyLines(channel.key)
    const states = keyStatesOf(channel)
    const index = keys.indexOf(key)
    if (channel.multiKeyMode !== null && index < 0) return
    if (states[index]?.status === 3) states[index] = { status: 1, reason: '', time: unixSeconds() }
    // A key that a person has disabled stays so, whatever a test of it has shown.
    if (channel.multiKeyMode !== null && !states.some(({ status }) => status === 1)) return
    parts.channels.update(id, {
      ...(channel.multiKeyMode === null ? {} : keyChange(channel, keys, states)),
      status: 1,
      otherInfo: statusNote('It passed a test'),
    })
    tell(channel, `Enabled ${quoted(channel)} again: it passed a test`, parts)
  })
}
