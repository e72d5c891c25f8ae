import { GatewayError } from '../../base/errors.ts'
import { AUTO } from '../../relay/channel/groups.ts'
import type { Settings } from '../../store/state/settings.ts'

const refuse = (field: string, message: string): GatewayError =>
  new GatewayError('invalid_params', { message, field })

/** The groups that the value of an option names; undefined where it is none that does. */
function groupsIn(fields: Partial<Settings>): string[] | undefined {
  const { AutoGroups, UserUsableGroups, GroupGroupRatio } = fields
  if (AutoGroups) return AutoGroups
  // The description of `auto` is stored with the groups'.
  if (UserUsableGroups) return Object.keys(UserUsableGroups).filter((group) => group !== AUTO)
  if (!GroupGroupRatio) return undefined
  return Object.entries(GroupGroupRatio).flatMap(([group, used]) => [group, ...Object.keys(used)])
}

/**
 * Throws `invalid_params` for an option that names a group which `GroupRatio` does not define, and for a
 * `GroupRatio` without the group `default`, which users have who were given no other.
 */
export function checkGroupOption(fields: Partial<Settings>, { GroupRatio }: Settings): void {
  const [key = ''] = Object.keys(fields)
  if (fields.GroupRatio && !Object.hasOwn(fields.GroupRatio, 'default')) {
    throw refuse(key, 'The option GroupRatio must keep the group "default".')
  }
  const unknown = groupsIn(fields)?.find((group) => !Object.hasOwn(GroupRatio, group))
  if (unknown === undefined) return
  throw refuse(key, `The option ${key} names the group "${unknown}". Add it to GroupRatio first.`)
}
