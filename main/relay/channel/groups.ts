import { GatewayError } from '../../base/errors.ts'
import { ownValue } from '../../base/own-value.ts'
import type { Reason } from '../../base/reason.ts'
import type { Channel, Channels } from '../../store/records/channels.ts'
import type { User } from '../../store/records/users.ts'
import type { Settings } from '../../store/state/settings.ts'
import type { Call } from '../call/call.ts'

/** The group that stands for those of `AutoGroups`, tried in order. */
export const AUTO = 'auto'

/** The stores that say which channels serve a call. */
export interface ServingServices {
  channels: Channels
  settings: { readonly current: Readonly<Settings> }
}

type Prices = Readonly<Settings>
type Grouped = Pick<User, 'group'>
type Asking = Pick<Call, 'caller'> & { group?: string | null }

const ownGroup = ({ group }: Grouped): string => group || 'default'

/** Groups of which `auto` is made for this user. */
export function autoGroups(user: Grouped, settings: Prices): string[] {
  const usable = namedGroups(user, settings)
  return settings.AutoGroups.filter((group) => Object.hasOwn(usable, group))
}

/** Those that the settings offer and that exist, and the user's own, each with what is told of it. */
function namedGroups(user: Grouped, settings: Prices): Record<string, string> {
  const offered = Object.entries(settings.UserUsableGroups).filter(
    ([group]) => group !== AUTO && Object.hasOwn(settings.GroupRatio, group),
  )
  const own = ownGroup(user)
  const about = ownValue(settings.UserUsableGroups, own) ?? 'Your own group'
  return { ...Object.fromEntries(offered), [own]: about }
}

/**
 * The groups that a user may choose for a token or a call (management-api §13.2), with what is told of each;
 * `auto` is among them where it leads anywhere.
 */
export function usableGroups(user: Grouped, settings: Prices): Record<string, string> {
  const named = namedGroups(user, settings)
  if (autoGroups(user, settings).length === 0) return named
  const about = settings.UserUsableGroups[AUTO] ?? 'The first group that serves the model'
  return { ...named, [AUTO]: about }
}

/** The group that was asked for: the call's, the token's, else the user's. */
const askedGroup = ({ caller, group }: Asking): string =>
  group || caller.token?.group || ownGroup(caller.user)

/** `token` names the one that asks, `user` whoever may not; null for the call itself, and for a group that is gone. */
function reasonOf(
  token: string | null,
  group: string,
  user: string | null,
  groups: string,
): Reason {
  const shared = { group, groups }
  if (user === null) {
    if (token === null) return { code: 'group_gone_for_call', ...shared }
    return { code: 'group_gone_for_token', token, ...shared }
  }
  if (token === null) return { code: 'group_refused_to_call', user, ...shared }
  return { code: 'group_refused_to_token', token, user, ...shared }
}

/** Throws `group_not_allowed` when the group that was asked for is not the user's to use, or is gone. */
export function checkGroup(call: Asking, settings: Prices): void {
  const group = askedGroup(call)
  const { user, token } = call.caller
  if (group === ownGroup(user) || Object.hasOwn(usableGroups(user, settings), group)) return
  const exists = group === AUTO || Object.hasOwn(settings.GroupRatio, group)
  const whose = call.group || !token ? 'The call asks' : `The token "${token.name}" asks`
  const groups = Object.keys(usableGroups(user, settings)).join(', ')
  const asked = call.group || !token ? null : token.name
  throw new GatewayError('group_not_allowed', {
    message: `${whose} for the group "${group}", which ${exists ? `the user "${user.username}" may not use` : 'does not exist any more'}. Usable: ${groups}.`,
    reason: reasonOf(asked, group, exists ? user.username : null, groups),
  })
}

/** The groups that a call may be served in, in the order in which they are tried. */
export function groupsOf(call: Asking, settings: Prices): readonly string[] {
  const group = askedGroup(call)
  return group === AUTO ? autoGroups(call.caller.user, settings) : [group]
}

/** The group that a call was really served in: of several, the first in which its channel stands. */
export function usedGroup(call: Asking, channel: Channel | null, settings: Prices): string {
  const groups = groupsOf(call, settings)
  const used = channel && groups.find((group) => channel.groups.includes(group))
  return used ?? groups[0] ?? askedGroup(call)
}

/** The factor of a group's prices; `special` where it is meant for users of one group. */
export function groupFactor(
  user: Grouped,
  group: string,
  settings: Prices,
): { factor: number; special: boolean } {
  const special = ownValue(ownValue(settings.GroupGroupRatio, ownGroup(user)) ?? {}, group)
  return special === undefined
    ? { factor: ownValue(settings.GroupRatio, group) ?? 1, special: false }
    : { factor: special, special: true }
}

/** Enabled channels that serve a model in any of the call's groups, each once. */
export function servingIn(
  call: Asking & Pick<Call, 'model'>,
  services: ServingServices,
): readonly Channel[] {
  const groups = groupsOf(call, services.settings.current)
  if (groups.length === 1) return services.channels.serving(groups[0] ?? '', call.model)
  return [...new Set(groups.flatMap((group) => services.channels.serving(group, call.model)))]
}
