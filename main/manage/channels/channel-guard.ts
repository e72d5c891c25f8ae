import { unixSeconds } from '../../base/clock.ts'
import { requestId } from '../../base/ids.ts'
import { withoutKey } from '../../base/log/redact.ts'
import type { Reason, Sentence, Why } from '../../base/reason.ts'
import { enabledKeys, keyLines } from '../../relay/channel/channel-keys.ts'
import { disableReason } from '../../relay/failure/disable-rule.ts'
import type { FailedAttempt } from '../../relay/failure/failure.ts'
import type { Channel } from '../../store/records/channels.ts'
import { eventRow } from '../calls/event-row.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { raiseDisabled, resolveDisabled } from '../incidents/of-channels.ts'
import { notifyOwner } from '../notices/notify.ts'
import { findOwner } from '../operation/owner.ts'
import { keyChange, keyStatesOf, statusNote } from './channel-key-states.ts'
import { whyWithoutKey } from './why-without-key.ts'

/** Why a channel is to be disabled, and which of its keys has shown it; null where none did. */
interface Cause {
  text: string
  /** The same for a console in another language. */
  why: Why
  /** It would not help to keep it: see DisableReason. */
  isFinal: boolean
  key: string | null
}

/** A channel that is kept although it should go is told of once in so many seconds. */
const WARNING_PAUSE = 600
/** By gateway and id of a channel, in Unix seconds. */
const warnings = new WeakMap<GatewayParts['health'], Map<number, number>>()

const quoted = ({ id, name }: Channel): string => `channel "${name}" (${id})`

/** Values of a sentence about a channel. */
const namedBy = ({ id, name }: Channel) => ({ channel: name, id })

/** Tells the owner by a row of the log, and the consoles by an event. */
function tell(channel: Channel, sentence: Sentence, parts: GatewayParts): void {
  const { message } = sentence
  parts.log.warn({ channel: channel.id }, message)
  parts.events.emit('server')
  notifyOwner({ type: 'channel_update', title: 'A channel has changed', content: message }, parts)
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

/** Has nobody been told of this channel lately? */
function isNews({ id }: Channel, { health }: GatewayParts): boolean {
  const lastWarned = warnings.get(health) ?? new Map<number, number>()
  warnings.set(health, lastWarned)
  const now = unixSeconds()
  const age = now - (lastWarned.get(id) ?? 0)
  // Negative after the clock was set back: the warning goes out.
  if (age >= 0 && age < WARNING_PAUSE) return false
  lastWarned.set(id, now)
  return true
}

/**
 * Effect on a channel that is the only one for a model: it is kept while it may still work, and
 * its owner is told; null. Else a sentence for the owner of the model that nothing serves from now on.
 */
function lastOfModel(channel: Channel, cause: Cause, parts: GatewayParts): string | null {
  const model = onlyServedBy(channel, parts)
  if (model === undefined) return ''
  if (cause.isFinal) return ` Nothing else serves "${model}".`
  if (isNews(channel, parts)) {
    const message = `Kept ${quoted(channel)} enabled, since nothing else serves "${model}", although: ${cause.text}`
    const reason = {
      code: 'audit_channel_kept',
      ...namedBy(channel),
      model,
      why: cause.why,
    } as const
    tell(channel, { message, reason }, parts)
  }
  return null
}

const ended = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

function disableKey(channel: Channel, index: number, cause: Cause, parts: GatewayParts): void {
  const states = keyStatesOf(channel)
  if (states[index]?.status !== 1) return
  const isLast = enabledKeys(channel).length === 1
  const gone = isLast ? lastOfModel(channel, cause, parts) : ''
  if (gone === null) return
  states[index] = { status: 3, reason: cause.text, why: cause.why, time: unixSeconds() }
  parts.channels.update(channel.id, keyChange(channel, keyLines(channel.key), states))
  const rest = isLast ? ` It was its last: the channel is disabled.${gone}` : ''
  const sentence = `Disabled key ${index + 1} of ${quoted(channel)}: ${cause.text}`
  const message = rest ? `${ended(sentence)}${rest}` : sentence
  const why = { index: index + 1, ...namedBy(channel), why: cause.why }
  tell(channel, { message, reason: { code: 'audit_key_disabled', ...why } }, parts)
  if (isLast) raiseDisabled(channel, cause.text, parts)
}

function disable(channel: Channel, cause: Cause, parts: GatewayParts): void {
  const index = cause.key === null ? -1 : keyLines(channel.key).indexOf(cause.key)
  // The key was edited meanwhile: what it did says nothing of the new one.
  if (cause.key && index === -1) return
  if (channel.multiKeyMode !== null && index >= 0) {
    disableKey(channel, index, cause, parts)
    return
  }
  const gone = lastOfModel(channel, cause, parts)
  if (gone === null) return
  parts.channels.update(channel.id, { status: 3, otherInfo: statusNote(cause.text, cause.why) })
  const sentence = `Disabled ${quoted(channel)}: ${cause.text}`
  const message = gone ? `${ended(sentence)}${gone}` : sentence
  const reason = { code: 'audit_channel_disabled', ...namedBy(channel), why: cause.why } as const
  tell(channel, { message, reason }, parts)
  raiseDisabled(channel, cause.text, parts)
}

/** A failure here must not fail the call. */
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
 * Disables a channel, or the key that was used, when what attempts at it failed of is a reason to
 * (management-api §5.4) and has come `ChannelDisableFailures` times with no answer between. Some vendors
 * quote the key that they refuse: it is taken out of the reason.
 */
export function disableFailed(
  { channelId, key, failure }: FailedAttempt,
  parts: GatewayParts,
): void {
  const channel = disableable(channelId, parts)
  const reason = channel && disableReason(failure, channel.type, parts.settings.current)
  if (!channel || !reason) return
  if (key && !keyLines(channel.key).includes(key)) return
  const count = parts.health.strike(channelId, key)
  const enough = parts.settings.current.ChannelDisableFailures
  if (count < enough) return
  const cause = key ? withoutKey(reason.text, key) : reason.text
  const last = key ? whyWithoutKey(reason.why, key) : reason.why
  const failed =
    enough === 1
      ? { text: cause, why: last }
      : {
          text: `${count} failures in a row, the last: ${cause}`,
          why: { code: 'failures_in_a_row', count, last } as const,
        }
  guarded(parts, () => disable(channel, { ...reason, ...failed, key }, parts))
}

/** Disables a channel at once for what a test or its balance has shown. */
export function disableFor(
  id: number,
  { message: text, reason: why }: Sentence,
  parts: GatewayParts,
): void {
  const channel = disableable(id, parts)
  if (channel)
    guarded(parts, () => disable(channel, { text, why, isFinal: false, key: null }, parts))
}

/**
 * Enables what the gateway had disabled, after a test of it has passed: a channel; of one with several keys
 * the key that passed, and the channel with it. What was known against it is forgotten.
 */
export function enableAgain(id: number, key: string, parts: GatewayParts): void {
  const channel = parts.channels.byId(id)
  if (!channel || channel.status === 2) return
  if (!parts.settings.current.AutomaticEnableChannelEnabled) return
  guarded(parts, () => {
    const fields = enabledBy(key, channel)
    if (!fields) return
    parts.channels.update(id, fields)
    parts.health.forget(id, channel.status === 3 ? null : key)
    const index = keyLines(channel.key).indexOf(key) + 1
    const isChannel = channel.status === 3
    const subject = isChannel ? quoted(channel) : `key ${index} of ${quoted(channel)}`
    resolveDisabled(channel, parts)
    const message = `Enabled ${subject} again: it passed a test`
    const reason: Reason = isChannel
      ? { code: 'audit_channel_enabled', ...namedBy(channel) }
      : { code: 'audit_key_enabled', index, ...namedBy(channel) }
    tell(channel, { message, reason }, parts)
  })
}

/** The fields of a channel one of whose keys has passed a test; null where that changes nothing. */
function enabledBy(key: string, channel: Channel): Partial<Channel> | null {
  const note = {
    status: 1,
    otherInfo: statusNote('It passed a test', { code: 'passed_a_test' }),
  } as const
  if (channel.multiKeyMode === null) {
    // The key that passed is not the channel's any more.
    const isOwn = (keyLines(channel.key)[0] ?? '') === key
    return channel.status === 3 && isOwn ? note : null
  }
  const keys = keyLines(channel.key)
  const states = keyStatesOf(channel)
  const index = keys.indexOf(key)
  if (index < 0) return null
  const wasDisabled = states[index]?.status === 3
  if (wasDisabled) states[index] = { status: 1, reason: '', time: unixSeconds() }
  if (channel.status === 1) return wasDisabled ? keyChange(channel, keys, states) : null
  // A key that a person has disabled stays so, whatever a test of it has shown.
  if (!states.some(({ status }) => status === 1)) return null
  return { ...keyChange(channel, keys, states), ...note }
}
