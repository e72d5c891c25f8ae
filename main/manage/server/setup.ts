import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { hashPassword, passwordProblem } from '../../base/password.ts'
import type { Reason } from '../../base/reason.ts'
import { nameProblem } from '../../base/text/login-name.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { findOwner } from '../operation/owner.ts'

const OWNER_QUOTA = 100_000_000

const setupStatus = defineOperation({
  name: 'setup.status',
  summary: 'Says whether the first run was completed.',
  access: 'none',
  http: { method: 'GET', path: '/api/setup' },
  input: z.object({}),
  output: z.strictObject({
    status: z.boolean(),
    root_init: z.boolean().describe('There is an owner.'),
    database_type: z.literal('sqlite'),
  }),
  run: (_input, { parts }) => ({
    status: parts.state.data.setup !== null,
    root_init: findOwner(parts.users) !== undefined,
    database_type: 'sqlite' as const,
  }),
})

const setupInput = z.strictObject({
  username: z.string().optional(),
  password: z.string().optional(),
  confirmPassword: z.string().optional(),
  SelfUseModeEnabled: z.boolean().optional(),
  DemoSiteEnabled: z.boolean().optional(),
})

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

const alreadyDone = (): GatewayError =>
  new GatewayError('conflict', {
    message: 'Switchyard is already set up. Sign in instead.',
    reason: { code: 'already_set_up' },
  })

/** Checks in the order of management-api §3.5; the desktop may leave out name and password. */
async function readOwner(
  input: z.output<typeof setupInput>,
  via: OperationContext['via'],
): Promise<{ username: string; passwordHash: string | null }> {
  const { password = '', confirmPassword = '' } = input
  const username = input.username?.trim() || (via === 'ipc' ? 'owner' : '')
  if (username === '') throw refuse('username', 'Choose a user name.', { code: 'field_missing' })
  if ([...username].length > 12) {
    throw refuse('username', 'The user name can have at most 12 characters.', {
      code: 'field_too_long',
      most: 12,
    })
  }
  const wrong = nameProblem(username)
  if (wrong) throw refuse('username', `The user name ${fieldProblems[wrong]}.`, { code: wrong })
  if (password !== confirmPassword) {
    throw refuse('confirmPassword', 'The passwords do not match.', { code: 'passwords_differ' })
  }
  if (password === '' && via === 'ipc') return { username, passwordHash: null }
  const problem = passwordProblem(password)
  if (problem) throw new GatewayError('invalid_params', { ...problem, field: 'password' })
  return { username, passwordHash: await hashPassword(password) }
}

const setupRun = defineOperation({
  name: 'setup.run',
  summary:
    'Completes the first run: makes the owner and signs in; from this machine only, and once.',
  access: 'none',
  http: { method: 'POST', path: '/api/setup' },
  limit: 'entry',
  input: setupInput,
  output: z.undefined(),
  before({ parts, loopback }) {
    if (parts.state.data.setup !== null) throw alreadyDone()
    if (!loopback) {
      throw new GatewayError('forbidden', {
        message:
          'The first run is open only on the machine that Switchyard runs on, and not through a proxy. Open the console there. If that machine is one of the trusted proxies, start once without them.',
        reason: { code: 'setup_only_local' },
      })
    }
  },
  async run(input, { parts, session, via }) {
    const owner = findOwner(parts.users) ? null : await readOwner(input, via)
    const { SelfUseModeEnabled, DemoSiteEnabled } = input

    // Owner, modes and the mark that it is done are one change, so that of two calls one wins whole.
    parts.state.update((draft) => {
      if (draft.setup !== null) throw alreadyDone()
      // Nor may a second owner come to one who was made while the password was hashed.
      if (owner && !draft.users.some((user) => user.role === 100)) {
        draft.users.push({
          ...owner,
          id: draft.nextId.user++,
          displayName: owner.username,
          role: 100,
          status: 1,
          email: '',
          group: 'default',
          quota: OWNER_QUOTA,
          accessToken: null,
          language: '',
          setting: '',
          remark: '',
          stripeCustomer: '',
          twoFactor: null,
          deletedAt: null,
          createdTime: unixSeconds(),
        })
      }
      if (SelfUseModeEnabled !== undefined) draft.settings.SelfUseModeEnabled = SelfUseModeEnabled
      if (DemoSiteEnabled !== undefined) draft.settings.DemoSiteEnabled = DemoSiteEnabled
      draft.setup = { version: parts.version, initializedAt: unixSeconds() }
    })
    const created = findOwner(parts.users)
    if (owner && created && session) {
      // The set-up stands whether or not the session can be kept: then the login page is next.
      await session
        .signIn(created)
        .catch((error) =>
          parts.log.warn({ err: error }, 'the owner could not be signed in after setup'),
        )
    }
  },
})

export const setupOperations = [setupStatus, setupRun] as const
