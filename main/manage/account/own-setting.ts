import { isIP } from 'node:net'
import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { hostOf } from '../../base/net/host-of.ts'
import type { Reason } from '../../base/reason.ts'
import type { User } from '../../store/records/users.ts'
import { FetchFailure } from '../../upstream/fetch-failure.ts'
import { isForbiddenHost, isPrivateHost } from '../channels/channel-base-url.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { NO_EMAIL, noticeRequest, requireReceiver } from '../notices/notice-request.ts'
import { deliver } from '../notices/notify.ts'
import { defineOperation, Reply } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import {
  type OwnSetting,
  readOwnSetting,
  secretFields,
  settingFields,
  urlFields,
} from './kept-setting.ts'

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

/** The gateway would call it, so it must be a public web address unless the owner allows others. */
function checkUrl(field: string, typed: string, user: User, { userFetch }: GatewayParts): void {
  if (typed === '') return
  try {
    const url = userFetch.check(typed, user.role === 100 ? 'owner' : 'anyone')
    const host = hostOf(url)
    // Names are looked up when they are asked; these can only be names of a private network.
    const isLocal = isIP(host) === 0 && user.role !== 100 && isPrivateHost(host)
    if (!isLocal && !isForbiddenHost(host)) return
    throw refuse(
      field,
      `The field "${field}" leads to ${url.host}, which isn't a public address.`,
      {
        code: 'field_not_public',
        host: url.host,
      },
    )
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw refuse(field, `The field "${field}" cannot be used: ${error.message}.`, {
      code: 'field_wrong',
      problem: `cannot be used: ${error.message}`,
      why: error.reason,
    })
  }
}

const needed: Readonly<Record<string, readonly (keyof OwnSetting)[]>> = {
  webhook: ['webhook_url'],
  bark: ['bark_url'],
  gotify: ['gotify_url', 'gotify_token'],
}

const update = defineOperation({
  name: 'user.setting',
  summary: "Changes how the user is notified, and the user's preferences for calls.",
  access: 'user',
  http: { method: 'PUT', path: '/api/user/setting' },
  input: z.strictObject(settingFields),
  output: z.undefined(),
  run(input, context) {
    const user = signedIn(context)
    for (const field of urlFields) checkUrl(field, input[field] ?? '', user, context.parts)
    if (input.notify_type === 'email' && input.notification_email)
      throw refuse('notify_type', NO_EMAIL, { code: 'no_email_notices' })
    const before = readOwnSetting(user)
    const next: OwnSetting = { ...before, ...input }
    for (const name of secretFields) {
      if (input[name] === null) delete next[name]
      else if (!input[name]) next[name] = before[name]
    }
    for (const field of needed[input.notify_type] ?? []) {
      if (!next[field])
        throw refuse(field, `The field "${field}" is needed for this kind of notice.`, {
          code: 'field_needed',
        })
    }
    context.parts.users.update(user.id, { setting: JSON.stringify(next) })
    return new Reply(undefined, { message: input.notify_type === 'email' ? NO_EMAIL : '' })
  },
})

const test = defineOperation({
  name: 'user.test-notice',
  summary: "Sends a notice to the user's own receiver of notices, and tells whether it took it.",
  access: 'user',
  http: { method: 'POST', path: '/api/user/setting/test' },
  input: z.strictObject({}),
  output: z.strictObject({
    sent_to: z.string().describe('The host that took it.'),
    milliseconds: z.int().describe('Until it had.'),
  }),
  limit: 'critical',
  async run(_input, context) {
    const { parts, signal } = context
    const user = signedIn(context)
    const content = `A test of the notices of "${user.username}". It was asked for in the console.`
    const notice = { type: 'test', title: 'Notices arrive', content } as const
    const request = requireReceiver(noticeRequest(readOwnSetting(user), notice))
    const begun = performance.now()
    try {
      await deliver(request, user, parts, signal)
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      throw new GatewayError('upstream_error', {
        message: `The notice was not delivered: ${error.message}.`,
        cause: error,
        reason: { code: 'notice_undelivered', why: error.reason },
      })
    }
    const milliseconds = Math.round(performance.now() - begun)
    return { sent_to: new URL(request.url).host, milliseconds }
  },
})

export const ownSettingOperations = [update, test] as const
