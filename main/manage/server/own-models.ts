import type { Caller } from '../../relay/call/call.ts'
import { checkGroup } from '../../relay/channel/groups.ts'
import { usableNames } from '../../relay/channel/usable-models.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** Who is signed in, as who makes a model call. */
export const callerOf = (context: OperationContext): Caller => ({
  token: null,
  user: signedIn(context),
  ip: context.ip,
  pinnedChannel: null,
})

/**
 * Names of the models that who is signed in may use: in their own group, or in the one that is named. Throws
 * `group_not_allowed` for one that is not theirs to use.
 */
export function ownModels(context: OperationContext, group: string): string[] {
  const asking = { caller: callerOf(context), group }
  checkGroup(asking, context.parts.settings.current)
  return usableNames(asking, context.parts)
}
