import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

const record = z.strictObject({
  id: z.string().describe('Names the session; it opens nothing.'),
  created_time: z.int().describe('Unix seconds of the login; 0 = not known.'),
  expires_at: z.int().describe('Unix seconds.'),
  ip: z.string(),
  user_agent: z.string(),
  current: z.boolean().describe('The one that asks.'),
})

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const list = defineOperation({
  name: 'session.list',
  summary: 'Lists where the user is signed in, newest first.',
  access: 'user',
  http: { method: 'GET', path: '/api/user/sessions' },
  input: z.object({}),
  output: z.array(record),
  run(_input, context) {
    const { parts, session } = context
    const current = session && parts.sessions.seenId(session.id)
    return parts.sessions
      .ofUser(signedIn(context).id)
      .map(({ seenId, expiresAt, data }) => ({
        id: seenId,
        created_time: Number(data.signedInAt) || 0,
        expires_at: expiresAt,
        ip: textIn(data.ip),
        user_agent: textIn(data.userAgent),
        current: seenId === current,
      }))
      .sort((one, other) => other.created_time - one.created_time)
  },
})

const revoke = defineOperation({
  name: 'session.revoke',
  summary: "Ends one of the user's sessions.",
  access: 'user',
  proof: 'session',
  http: { method: 'DELETE', path: '/api/user/sessions/:id' },
  input: z.object({ id: z.string().max(100) }),
  output: z.undefined(),
  run({ id }, context) {
    if (context.parts.sessions.removeSeen(signedIn(context).id, id)) return
    throw new GatewayError('not_found', {
      message: `The session ${id} has ended. Reload the list.`,
      field: 'id',
      reason: { code: 'session_ended' },
    })
  },
})

const revokeOthers = defineOperation({
  name: 'session.revoke-others',
  summary:
    "Ends all of the user's sessions but the one that asks, and forgets all known devices; gives how many ended.",
  access: 'user',
  proof: 'session',
  http: { method: 'DELETE', path: '/api/user/sessions' },
  input: z.object({}),
  output: z.int(),
  run(_input, context) {
    const { parts, session } = context
    const user = signedIn(context)
    const ended = parts.sessions.removeOfUser(user.id, session?.id)
    parts.users.update(user.id, { deviceEpoch: user.deviceEpoch + 1 })
    return ended
  },
})

export const sessionOperations = [list, revoke, revokeOthers] as const
