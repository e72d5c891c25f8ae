import { expect, test } from 'vitest'
import { allOperations } from '../../../../main/manage/operation/invoke.ts'
import { sampleOf } from '../../../support/every-case.ts'
import { type Management, type Received, startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'

type Operation = (typeof allOperations)[number]

const leastRole = { none: 0, user: 1, admin: 10, root: 100 } as const

/** These change the caller's identity or session: each comes last, and is run by a new caller. */
const changesWhoAsks = new Set([
  'session.logout',
  'session.logout-get',
  'session.revoke-others',
  'user.access-token',
  'user.access-token-get',
  'user.delete-self',
])

type Ask = (operation: Operation) => Promise<Received>

interface Caller {
  role: 0 | 1 | 10 | 100
  /** The code of a refusal that only this caller gets, for operations kept from it. */
  keeps?(operation: Operation): string | undefined
  /** The code for a refused credential. */
  unknown: 'unauthenticated' | 'invalid_access_token'
  hasSession: boolean
  /** Somebody new of this kind. */
  arrive(management: Management): Promise<Ask>
}

/** A request that does no harm where it is allowed: a body that no operation takes, an id that nothing has. */
const asker =
  (visitor: Pick<Management['owner'], 'send'>, headers: Record<string, string> = {}): Ask =>
  ({ http: { method, path } }) =>
    visitor.send(
      method,
      path.replaceAll(/:\w+/g, '999999'),
      method === 'GET' || method === 'DELETE' ? undefined : [],
      headers,
    )

let count = 0

const signedIn = (management: Management, role: 1 | 10 | 100) =>
  role === 100 ? management.signIn() : signInAs(management, { username: `person-${++count}`, role })

const session = (role: 1 | 10 | 100): Caller => ({
  ...{ role, unknown: 'unauthenticated', hasSession: true },
  arrive: async (management) => asker(await signedIn(management, role)),
})

/** A browser's request that comes from no page of the console. */
const fromElsewhere: Caller = {
  ...session(100),
  keeps: ({ hasEffect }) => (hasEffect ? 'origin_not_allowed' : undefined),
  arrive: async (management) => asker(await management.signIn(), { 'sec-fetch-site': 'none' }),
}

/** Somebody who signed in an hour ago and has shown nothing since. */
const longSignedIn: Caller = {
  ...session(100),
  keeps: ({ proof }) => (proof === 'recent' ? 'VERIFICATION_REQUIRED' : undefined),
  async arrive(management) {
    const browser = await management.signIn()
    management.gateway.parts.state.update((draft) => {
      for (const { data } of draft.sessions) data.signedInAt = Number(data.signedInAt) - 3600
    })
    return asker(browser)
  },
}

const accessToken = (role: 1 | 10 | 100): Caller => ({
  ...{ role, unknown: 'unauthenticated', hasSession: false },
  async arrive(management) {
    const one = await signedIn(management, role)
    const authorization = (await one.send('POST', '/api/user/token')).body.data
    return asker(management.visitor(), { authorization })
  },
})

const callers: Record<string, Caller> = {
  nobody: {
    ...{ role: 0, unknown: 'unauthenticated', hasSession: false },
    arrive: async ({ visitor }) => asker(visitor()),
  },
  'a key for models': {
    ...{ role: 0, unknown: 'invalid_access_token', hasSession: false },
    async arrive({ owner, visitor }) {
      const { key } = (await owner.send('POST', '/api/token', { name: 'key' })).body.data
      return asker(visitor(), { authorization: `Bearer ${key}` })
    },
  },
  'a user': session(1),
  'an administrator': session(10),
  'the owner': session(100),
  'the owner, signed in long ago': longSignedIn,
  'the owner, outside of the console': fromElsewhere,
  'the access token of a user': accessToken(1),
  'the access token of an administrator': accessToken(10),
  'the access token of the owner': accessToken(100),
}

/** An answer's verdict on the caller, in a word. */
function verdict({ status, body }: Received, { kind }: Operation): string {
  if (kind === 'stream') {
    if (status === 403) return 'session needed'
    return status === 401 ? 'unknown' : 'allowed'
  }
  const { code = '', message = '' } = body ?? {}
  if (code.startsWith('VERIFICATION_')) return code
  if (status === 401 || code === 'origin_not_allowed') return code
  if (status === 403 && message.startsWith('An access token is not enough')) return 'session needed'
  if (status === 403 && /^Only (the owner|an administrator) may do this\.$/.test(message)) {
    return code
  }
  return 'allowed'
}

function expected(operation: Operation, { role, unknown, hasSession, keeps }: Caller): string {
  const { access, verified, proof, kind } = operation
  const isForSessions = proof !== undefined || kind === 'stream'
  if (role >= leastRole[access] && isForSessions && !hasSession && role > 0) return 'session needed'
  const kept = keeps?.(operation)
  if (kept) return kept
  if (role >= leastRole[access]) return verified ? 'VERIFICATION_REQUIRED' : 'allowed'
  if (role > 0) return 'forbidden'
  return kind === 'stream' ? 'unknown' : unknown
}

test.each(Object.entries(callers).map(([name, caller], index) => [name, caller, index] as const))(
  '%s may do what the access levels say, and nothing else',
  async (_name, caller, index) => {
    const management = await startManagement()
    const ask = await caller.arrive(management)
    const wrong: string[] = []
    const last = ({ name }: Operation) => Number(changesWhoAsks.has(name))
    const asking = sampleOf(allOperations, 3, index)
    for (const operation of asking.sort((one, other) => last(one) - last(other))) {
      const asked = changesWhoAsks.has(operation.name) ? await caller.arrive(management) : ask
      const answer = await asked(operation)
      const given = verdict(answer, operation)
      if (given !== expected(operation, caller)) {
        wrong.push(`${operation.name} (${operation.access}): ${answer.status} ${given}`)
      }
    }
    expect(wrong).toEqual([])
  },
)
