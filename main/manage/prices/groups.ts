import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { AUTO, groupFactor, usableGroups } from '../../relay/channel/groups.ts'
import type { User } from '../../store/records/users.ts'
import type { Settings } from '../../store/state/settings.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** Refuses a group that is called `auto`, which stands for several in a token. */
export const autoTaken = (field: string): GatewayError =>
  new GatewayError('invalid_params', {
    message: 'The name "auto" stands for several groups, tried in turn. Choose another name.',
    field,
    reason: { code: 'group_auto_taken' },
  })

const groupsOutput = z.record(
  z.string(),
  z.strictObject({
    ratio: z
      .union([z.number(), z.string()])
      .describe('What prices are multiplied by; a text for `auto`.'),
    desc: z.string(),
  }),
)
type Groups = z.infer<typeof groupsOutput>

/** A visitor who is not signed in sees what a new user would. */
const STRANGER: Pick<User, 'group'> = { group: 'default' }

/** The groups that a user may choose, with what they cost them. */
const describeGroups = (user: Pick<User, 'group'> | null, settings: Readonly<Settings>): Groups =>
  Object.fromEntries(
    Object.entries(usableGroups(user ?? STRANGER, settings)).map(([group, desc]) => [
      group,
      {
        ratio: group === AUTO ? 'auto' : groupFactor(user ?? STRANGER, group, settings).factor,
        desc,
      },
    ]),
  )

const list = defineOperation({
  name: 'group.list',
  summary: 'Lists the names of all groups.',
  access: 'admin',
  http: { method: 'GET', path: '/api/group' },
  input: z.object({}),
  output: z.array(z.string()),
  run: (_input, { parts }): string[] => Object.keys(parts.settings.current.GroupRatio).sort(),
})

const ofSelf = defineOperation({
  name: 'user.self-groups',
  summary: 'Tells which groups the user may choose for tokens, and what they cost.',
  access: 'user',
  http: { method: 'GET', path: '/api/user/self/groups' },
  input: z.object({}),
  output: groupsOutput,
  run: (_input, context): Groups =>
    describeGroups(signedIn(context), context.parts.settings.current),
})

const ofAnyone = defineOperation({
  name: 'user.groups',
  summary: 'Tells which groups may be chosen; without a session those of a new user.',
  access: 'none',
  http: { method: 'GET', path: '/api/user/groups' },
  input: z.object({}),
  output: groupsOutput,
  run: (_input, { user, parts }): Groups => describeGroups(user, parts.settings.current),
})

export const groupOperations = [list, ofSelf, ofAnyone] as const
