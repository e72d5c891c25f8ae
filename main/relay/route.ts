import { ENDPOINT_OF_CALL } from '../adaptor/endpoint-types.ts'
import { GatewayError } from '../base/errors.ts'
import type { Channel } from '../store/channels.ts'
import type { Call, RelayParts } from './call.ts'
import { endpointsOf, formatFor } from './channel-format.ts'
import { groupsOf, servingIn } from './groups.ts'

function pinned(call: Call, id: number, parts: RelayParts): readonly Channel[] {
  const channel = parts.channels.byId(id)
  if (!channel) {
    throw new GatewayError('pinned_channel_unknown', {
      message: `The key names channel ${id}, which does not exist.`,
    })
  }
  if (channel.status !== 1) {
    throw new GatewayError('pinned_channel_disabled', {
      message: `The key names channel ${id} ("${channel.name}"), which is disabled.`,
    })
  }
  if (formatFor(channel, call) === null) refuseFormat(call, [channel])
  return [channel]
}

/** What the client may do instead is for it to read: which endpoints the model does have. */
function refuseFormat(call: Call, channels: readonly Channel[]): never {
  const names = channels.map((channel) => `"${channel.name}"`).join(', ')
  const types = [...new Set(channels.flatMap(endpointsOf))].join(', ')
  const wanted = ENDPOINT_OF_CALL[call.format]
  const isServed = types.includes(wanted)
  throw new GatewayError('format_not_served', {
    message: `The model "${call.model}" cannot be called at ${call.path}: ${names} ${channels.length === 1 ? 'serves' : 'serve'} ${types}${isServed ? `, but this vendor has no such call` : `. It takes a channel with the endpoint type ${wanted}; endpoint types are set on the Channels page of the console`}.`,
    field: 'model',
    // What stands beside an endpoint that is served elsewhere is not there, as far as clients can see.
    ...(call.format === 'compact' ? { status: 404 } : {}),
  })
}

function refuseModel(call: Call, groups: readonly string[], parts: RelayParts): never {
  const isKnown = parts.channels.all().some((channel) => channel.models.includes(call.model))
  if (isKnown) {
    throw new GatewayError('no_channel', {
      message: `No enabled channel serves the model "${call.model}" in ${groups.length === 1 ? 'group' : 'the groups'} ${groups.map((group) => `"${group}"`).join(', ') || 'of "auto"'}. Enable one on the Channels page of the console.`,
      field: 'model',
    })
  }
  throw new GatewayError('model_not_found', {
    message: `The model "${call.model}" does not exist here: no channel lists it. GET /v1/models shows those that do.`,
    field: 'model',
  })
}

/** One of the channels by weight; all weights 0 means equal chances. */
function draw(channels: readonly Channel[]): Channel {
  let total = 0
  for (const channel of channels) total += channel.weight
  if (total === 0) return channels[Math.floor(Math.random() * channels.length)] as Channel
  let rest = Math.random() * total
  for (const channel of channels) {
    rest -= channel.weight
    if (rest < 0) return channel
  }
  return channels.at(-1) as Channel
}

function* inOrder(
  candidates: readonly Channel[],
  isPreferred: (channel: Channel) => boolean,
): Generator<Channel> {
  const left = new Set(candidates)
  while (left.size > 0) {
    const highest = Math.max(...[...left].map((channel) => channel.priority))
    const equals = [...left].filter((one) => one.priority === highest)
    const preferred = equals.filter(isPreferred)
    const channel = draw(preferred.length > 0 ? preferred : equals)
    left.delete(channel)
    yield channel
  }
}

/** Those of the first group that has any; where the token crosses groups, those of the next ones after them. */
function byGroup(
  candidates: readonly Channel[],
  groups: readonly string[],
  crosses: boolean,
): Channel[][] {
  const left = new Set(candidates)
  const sets: Channel[][] = []
  for (const group of groups) {
    const members = [...left].filter((channel) => channel.groups.includes(group))
    if (members.length === 0) continue
    sets.push(members)
    if (!crosses) break
    for (const member of members) left.delete(member)
  }
  return sets
}

function* inTurn(
  sets: readonly (readonly Channel[])[],
  isPreferred: (channel: Channel) => boolean,
): Generator<Channel> {
  for (const set of sets) yield* inOrder(set, isPreferred)
}

/**
 * The channels that may serve a call, in the order in which to try them: the highest priority first,
 * then (`PreferNativeFormat`) those that need no conversion, by weight among equals, none twice. In the
 * group `auto` one group after the other. Throws when there is none.
 */
export function route(call: Call, parts: RelayParts): Iterable<Channel> {
  if (call.caller.pinnedChannel !== null) return pinned(call, call.caller.pinnedChannel, parts)
  const groups = groupsOf(call, parts.settings.current)
  const serving = servingIn(call, parts)
  if (serving.length === 0) refuseModel(call, groups, parts)
  const candidates = serving.filter((channel) => formatFor(channel, call) !== null)
  if (candidates.length === 0) refuseFormat(call, serving)
  if (candidates.length === 1) return candidates
  const prefersNative = parts.settings.current.PreferNativeFormat
  const isPreferred = (channel: Channel) =>
    prefersNative && formatFor(channel, call) === call.format
  if (groups.length === 1) return inOrder(candidates, isPreferred)
  const crosses = call.caller.token?.crossGroupRetry === true
  return inTurn(byGroup(candidates, groups, crosses), isPreferred)
}
