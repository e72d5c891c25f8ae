import { keychainLocked } from '../../base/keychain-locked.ts'
import type { Reason, Why } from '../../base/reason.ts'
import { counted } from '../../base/text/counted.ts'
import { keyLines } from '../../relay/channel/channel-keys.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** Something that an administrator should know. */
export interface Warning {
  /** `snake_case`; stays the same while its words change. */
  code: string
  message: string
  reason: Reason
  /** Unix seconds; null where that is not known. */
  since: number | null
  /** The gateway cannot do its work in full. */
  isFailing: boolean
}

/** Bytes below which the disk is nearly full: some days of calls. */
const LITTLE_ROOM = 200 * 1024 * 1024
/** Milliseconds for which the event loop of a gateway that fares well is never held up. */
const LONG_DELAY = 1_000

/** The reasons of warnings have the code of the warning behind this. */
const PREFIX = 'health_'

const warning = (reason: Reason, message: string, since: number | null = null): Warning => ({
  ...{ code: reason.code.slice(PREFIX.length), message, reason, since, isFailing: false },
})

const failing = (reason: Reason, message: string, since: number | null): Warning => ({
  ...warning(reason, message, since),
  isFailing: true,
})

/** Why the ledger cannot be written, or read right now; null when all is well. */
function ledgerProblem({ ledger, log }: GatewayParts): { message: string; why: Why } | null {
  const { problem, problemReason } = ledger
  if (problem !== null) return { message: problem, why: problemReason ?? problem }
  try {
    ledger.read('SELECT max(id) FROM calls')
    return null
  } catch (err) {
    log.error({ err }, 'the ledger cannot be read')
    const message = 'it cannot be read. Look in the log of the gateway.'
    return { message, why: { code: 'ledger_cannot_read' } }
  }
}

/** Problems that stop the gateway: the ledger, the state or the stored keys cannot be used. */
export function failures(parts: GatewayParts): Warning[] {
  const { ledger, state, secretKey } = parts
  const problem = ledgerProblem(parts)
  return [
    ...(problem === null
      ? []
      : [
          failing(
            { code: 'health_ledger_failing', problem: problem.why },
            `The ledger cannot be used: ${problem.message}`,
            ledger.problemSince,
          ),
        ]),
    ...(state.problem
      ? [
          failing(
            { code: 'health_state_failing', problem: state.problem.why },
            state.problem.reason,
            state.problem.since,
          ),
        ]
      : []),
    ...(secretKey.lock
      ? [
          failing(
            { code: 'health_keychain_locked' },
            keychainLocked().message,
            secretKey.lock.since,
          ),
        ]
      : []),
  ]
}

/** Names in a warning, and characters of each: it stands at the top of narrow pages too. */
const MOST_NAMES = 3
const LONGEST_NAME = 40

const shortName = ({ name }: Channel): string =>
  name.length > LONGEST_NAME ? `"${name.slice(0, LONGEST_NAME - 1)}…"` : `"${name}"`

/** `"A", "B" and 5 more`, in English and by code. */
function namesOf(channels: readonly Channel[]): { said: string; names: Why } {
  const isAll = channels.length <= MOST_NAMES
  const list = (isAll ? channels : channels.slice(0, MOST_NAMES - 1)).map(shortName)
  // The code is for the console in Chinese: in English the sentence stands as it is.
  const [names, local] = [list.join(', '), list.join('、')]
  if (isAll) return { said: names, names: local }
  const more = channels.length - MOST_NAMES + 1
  return {
    said: `${names} and ${more} more`,
    names: { code: 'names_and_more', names: local, more },
  }
}

/** When the gateway disabled a channel, in unix seconds. */
function disabledAt({ otherInfo }: Channel): number | null {
  try {
    const { status_time: time } = JSON.parse(otherInfo) as { status_time?: unknown }
    return typeof time === 'number' ? time : null
  } catch {
    return null
  }
}

function* ofChannels({ channels, health }: GatewayParts): Generator<Warning> {
  const all = channels.all()
  const enabledIn = (state: 'open' | 'half-open') =>
    all.filter(
      ({ id, key, status }) =>
        status === 1 && health.ofChannel({ id }, keyLines(key), null).state === state,
    )
  const cooling = enabledIn('open')
  if (cooling.length > 0) {
    yield warning(
      { code: 'health_channels_cooling', count: cooling.length, names: namesOf(cooling).names },
      `${counted(cooling.length, 'channel')} cooling down after failures: ${namesOf(cooling).said}.`,
    )
  }
  const onProbe = enabledIn('half-open')
  if (onProbe.length > 0) {
    yield warning(
      { code: 'health_channels_probing', count: onProbe.length, names: namesOf(onProbe).names },
      `${counted(onProbe.length, 'channel')} failed lately, and the next call is a probe: ${namesOf(onProbe).said}.`,
    )
  }
  const disabled = all.filter(({ status }) => status === 3)
  if (disabled.length > 0) {
    const times = disabled.map(disabledAt).filter((time) => time !== null)
    yield warning(
      { code: 'health_channels_disabled', count: disabled.length, names: namesOf(disabled).names },
      `${counted(disabled.length, 'channel')} disabled by the gateway: ${namesOf(disabled).said}.`,
      times.length > 0 ? Math.min(...times) : null,
    )
  }
  const unreadable = all.filter(({ keyUnreadable, isLocked }) => keyUnreadable && !isLocked)
  if (unreadable.length > 0) {
    yield warning(
      {
        code: 'health_keys_unreadable',
        count: unreadable.length,
        names: namesOf(unreadable).names,
      },
      `The key of ${counted(unreadable.length, 'channel')} cannot be read any more: ${namesOf(unreadable).said}. Enter it again.`,
    )
  }
}

const isLoopback = (host: string): boolean => /^(127\.|localhost$|::1$)/i.test(host)

function* ofPause({ settings }: GatewayParts): Generator<Warning> {
  const since = settings.current.PausedSince
  if (since === 0) return
  yield warning(
    { code: 'health_paused' },
    'The gateway is paused: new calls are refused with status 503. Resume it on the Settings page.',
    since,
  )
}

function* ofMachine(parts: GatewayParts, freeOnDisk: number | null): Generator<Warning> {
  const { vitals, ledger } = parts
  if (freeOnDisk !== null && freeOnDisk < LITTLE_ROOM) {
    const mebibytes = Math.floor(freeOnDisk / 1024 / 1024)
    yield warning(
      { code: 'health_disk_low', mebibytes },
      `The disk of the data folder has ${mebibytes} MiB left. Without free space calls continue, but are logged only once there is some.`,
    )
  }
  if (ledger.rowsLost > 0) {
    yield warning(
      { code: 'health_rows_lost', count: ledger.rowsLost },
      `${counted(ledger.rowsLost, 'row')} of calls ${ledger.rowsLost === 1 ? 'was' : 'were'} lost while the ledger couldn't be written.`,
    )
  }
  for (const { message, reason } of parts.extraCertificates.problems()) {
    yield warning({ code: 'health_extra_certificates', problem: reason }, message)
  }
  const { host } = parts.address()
  if (!isLoopback(host)) {
    yield warning(
      { code: 'health_open_to_network', host },
      `The gateway listens on ${host} over plain HTTP, so others on the network can read what is sent to it. Put a proxy with TLS in front of it, or listen on 127.0.0.1.`,
    )
  }
  const { clockJump, loopDelay } = vitals
  if (clockJump) {
    yield warning(
      { code: 'health_clock_jumped', seconds: clockJump.seconds },
      `The clock of this machine was set back by ${counted(clockJump.seconds, 'second')}: usage by hour and day around that time may be wrong.`,
      clockJump.at,
    )
  }
  if (loopDelay.max > LONG_DELAY) {
    const seconds = Number((loopDelay.max / 1000).toFixed(1))
    yield loopDelay.isStarved
      ? warning(
          { code: 'health_machine_busy', seconds },
          `Calls waited up to ${seconds} s in the last few minutes, as other programs kept this machine busy.`,
        )
      : warning(
          { code: 'health_event_loop_slow', seconds },
          `All calls were blocked for ${seconds} s in the last few minutes.`,
        )
  }
}

/** All that an administrator should know, what fails first. */
export const warningsOf = (parts: GatewayParts, freeOnDisk: number | null): Warning[] => [
  ...failures(parts),
  ...ofPause(parts),
  ...ofChannels(parts),
  ...ofMachine(parts, freeOnDisk),
]
