import { endpointTypeOf } from '../../adaptor/url/endpoint-types.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'
import { nameOf, shortNameOf } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import type { CandidateNote, RouteNote } from '../call/route-note.ts'
import { endpointsOf, formatFor } from '../channel/channel-format.ts'
import { groupsOf, type ServingServices, servingIn } from '../channel/groups.ts'
import { candidateNote } from './candidate-note.ts'

/** A channel that will not be asked, and why. */
interface LeftOut {
  channel: Channel
  why: Extract<CandidateNote['why'], 'format' | 'not_in_group'>
}

/** The channels that may serve a call. */
export interface Candidates {
  /** Those of one group after those of another; each channel once. */
  sets: readonly (readonly Channel[])[]
  isPinned: boolean
  leftOut: readonly LeftOut[]
}

function pinned(
  call: Call,
  id: number,
  services: ServingServices,
  isWanted: (channel: Channel) => boolean,
): Candidates {
  const channel = services.channels.byId(id)
  if (!channel) {
    throw new GatewayError('pinned_channel_unknown', {
      message: `The key names channel ${id}, which does not exist. Leave out "-${id}", or name another channel.`,
      reason: { code: 'pinned_unknown', channel: id },
    })
  }
  if (channel.status !== 1) {
    throw new GatewayError('pinned_channel_disabled', {
      message: `The key names channel ${id} ("${channel.name}"), which is disabled. Leave out "-${id}", or enable it on the Channels page of the console.`,
      reason: { code: 'pinned_is_disabled', channel: id, name: channel.name },
    })
  }
  if (!isWanted(channel)) return { ...NONE, isPinned: true }
  if (formatFor(channel, call) === null) refuseFormat(call, [channel])
  return { sets: [[channel]], isPinned: true, leftOut: [] }
}

/** The message names the endpoints that the model does have. */
function refuseFormat(call: Call, channels: readonly Channel[]): never {
  const names = channels.map((channel) => `"${channel.name}"`).join(', ')
  const types = [...new Set(channels.flatMap(endpointsOf))].join(', ')
  const wanted = endpointTypeOf(call.format)
  const isServed = types.includes(wanted)
  const facts = { model: shortNameOf(call), path: call.path, channels: names, types }
  throw new GatewayError('format_not_served', {
    message: `The model ${nameOf(call)} cannot be called at ${call.path}: ${names} ${channels.length === 1 ? 'serves' : 'serve'} ${types}${isServed ? `, but this vendor has no such call` : `. It takes a channel with the endpoint type ${wanted}; endpoint types are set on the Channels page of the console`}.`,
    reason: isServed
      ? { code: 'endpoint_without_call', ...facts }
      : { code: 'endpoint_unserved', ...facts, wanted },
    field: 'model',
    // A path beside an endpoint that is served elsewhere is not there, as far as clients can see.
    ...(call.format === 'compact' ? { status: 404 } : {}),
  })
}

function refuseModel(
  call: Call,
  groups: readonly string[],
  isServedElsewhere: boolean,
  services: ServingServices,
): never {
  const isKnown = services.channels.all().some((channel) => channel.models.includes(call.model))
  if (isKnown) {
    const names = groups.map((group) => `"${group}"`).join(', ')
    const remedy = isServedElsewhere
      ? 'Channels of other groups do: add a group to one'
      : 'Enable one'
    throw new GatewayError('no_channel', {
      message: `No enabled channel serves the model ${nameOf(call)} in ${groups.length === 1 ? 'group' : 'the groups'} ${names || 'of "auto"'}. ${remedy} on the Channels page of the console.`,
      reason: {
        code: isServedElsewhere ? 'model_in_other_groups' : 'model_without_channel',
        model: shortNameOf(call),
        groups: names || '"auto"',
      },
      field: 'model',
    })
  }
  throw new GatewayError('model_not_found', {
    message: `The model ${nameOf(call)} does not exist here: no channel lists it. GET /v1/models shows those that do.`,
    reason: { code: 'model_unknown', model: shortNameOf(call) },
    field: 'model',
  })
}

/** Those of the first group that has any; where the token crosses groups, those of the next ones after them. */
function byGroup(
  candidates: readonly Channel[],
  groups: readonly string[],
  crosses: boolean,
): { sets: Channel[][]; rest: Set<Channel> } {
  const rest = new Set(candidates)
  const sets: Channel[][] = []
  for (const group of groups) {
    const members = [...rest].filter((channel) => channel.groups.includes(group))
    if (members.length === 0) continue
    sets.push(members)
    for (const member of members) rest.delete(member)
    if (!crosses) break
  }
  return { sets, rest }
}

const NONE: Candidates = { sets: [], isPinned: false, leftOut: [] }

/** Channels that are noted with a call. */
export const LISTED = 20

/** A skipped channel as the log keeps it. */
export const noteLeftOut = ({ channel, why }: LeftOut): CandidateNote =>
  candidateNote(channel, false, { why })

const inNoGroup = (channels: Iterable<Channel>): LeftOut[] =>
  [...channels].map((channel) => ({ channel, why: 'not_in_group' }))

/** Enabled channels with the call's model, where none of them is in a group of the call. */
const elsewhere = (call: Call, { channels }: ServingServices): LeftOut[] =>
  inNoGroup(
    channels.all().filter(({ status, models }) => status === 1 && models.includes(call.model)),
  )

/**
 * The channels that may serve a call: the one that its key names, or all enabled ones of its group (of the
 * first group of `auto` that has any, or of all one after the other) that list the model and speak a format
 * which it can be brought to. Throws when there is none, and says so in the note; none where none of them is wanted.
 */
export function candidatesOf(
  call: Call,
  note: RouteNote,
  services: ServingServices,
  isWanted: (channel: Channel) => boolean = () => true,
): Candidates {
  const { pinnedChannel } = call.caller
  if (pinnedChannel !== null) return pinned(call, pinnedChannel, services, isWanted)
  const groups = groupsOf(call, services.settings.current)
  const all = servingIn(call, services)
  if (all.length === 0) {
    const others = elsewhere(call, services)
    note.candidates.push(...others.slice(0, LISTED).map(noteLeftOut))
    refuseModel(call, groups, others.length > 0, services)
  }
  const serving = all.filter(isWanted)
  if (serving.length === 0) return NONE
  const unfit: LeftOut[] = []
  const candidates = serving.filter((channel) => {
    const fits = formatFor(channel, call) !== null
    if (!fits) unfit.push({ channel, why: 'format' })
    return fits
  })
  if (candidates.length === 0) {
    note.candidates.push(...unfit.slice(0, LISTED).map(noteLeftOut))
    refuseFormat(call, serving)
  }
  if (groups.length === 1) return { sets: [candidates], isPinned: false, leftOut: unfit }
  const crosses = call.caller.token?.crossGroupRetry === true
  const { sets, rest } = byGroup(candidates, groups, crosses)
  return { sets, isPinned: false, leftOut: [...unfit, ...inNoGroup(rest)] }
}

/** Those of them that have what this kind of call needs; the others are left out. */
export function suiting(
  { sets, isPinned, leftOut }: Candidates,
  suits: (channel: Channel) => boolean,
): Candidates {
  const unfit: LeftOut[] = sets
    .flat()
    .filter((channel) => !suits(channel))
    .map((channel) => ({ channel, why: 'format' }))
  const fit = sets.map((set) => set.filter(suits)).filter(({ length }) => length > 0)
  return { sets: fit, isPinned, leftOut: [...unfit, ...leftOut] }
}
