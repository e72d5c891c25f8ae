import { GatewayError } from '../../base/errors.ts'
import { usableGroups } from '../../relay/channel/groups.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import type { TokenInput } from './token-fields.ts'

/** The group that walks through others (management-api §13.2). */
const AUTO = 'auto'

function checkGroup(group: string, usable: Readonly<Record<string, string>>): void {
  if (group === '' || Object.hasOwn(usable, group)) return
  throw new GatewayError('invalid_params', {
    message: `You may not use the group "${group}". Choose one of ${Object.keys(usable).join(', ')}, or none for your own.`,
    field: 'group',
  })
}

/**
 * The group of a token and how it is used, as far as they are to change. A group that was taken away since
 * may stay as it is, so that the rest of the token can still be edited.
 */
export function groupFields(
  input: Pick<TokenInput, 'group' | 'cross_group_retry'>,
  before: Pick<Token, 'group' | 'crossGroupRetry'> | null,
  context: OperationContext,
): Pick<Partial<Token>, 'group' | 'crossGroupRetry'> {
  const settings = context.parts.settings.current
  const usable = usableGroups(signedIn(context), settings)
  const standard = settings.DefaultUseAutoGroup && Object.hasOwn(usable, AUTO) ? AUTO : ''
  const group = input.group ?? before?.group ?? standard
  if (group !== before?.group) checkGroup(group, usable)
  const crossGroupRetry = input.cross_group_retry ?? before?.crossGroupRetry ?? false
  // Clients send the switch along when they choose another group, where it means nothing.
  return { group, crossGroupRetry: crossGroupRetry && group === AUTO }
}
