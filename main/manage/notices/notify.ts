import { requestId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import type { Reason, Sentence } from '../../base/reason.ts'
import type { User } from '../../store/records/users.ts'
import { readOwnSetting, withoutReceiver } from '../account/kept-setting.ts'
import { eventRow } from '../calls/event-row.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { findOwner } from '../operation/owner.ts'
import type { Notice } from './notice.ts'
import { NoticeQueue } from './notice-queue.ts'
import { type NoticeRequest, noticeRequest } from './notice-request.ts'

/** Milliseconds in which a receiver has to answer. */
const TIME_LIMIT = 10_000

/** Sends a notice once; rejects with a FetchFailure where it cannot be delivered. */
export async function deliver(
  request: NoticeRequest,
  { role }: Pick<User, 'role'>,
  { userFetch }: Pick<GatewayParts, 'userFetch'>,
  signal: AbortSignal,
): Promise<void> {
  const audience = role === 100 ? 'owner' : 'anyone'
  await userFetch.fetch({ ...request, audience, timeLimit: TIME_LIMIT, sizeLimit: 0, signal })
}

/** As `withoutReceiver`. */
const withoutHost = (reason: Reason): Reason =>
  'host' in reason ? ({ ...reason, host: { code: 'notice_receiver' } } as Reason) : reason

/** The queue of a gateway's notices; its parts may still be being made. */
export function createNotices(log: Log, parts: () => GatewayParts): NoticeQueue {
  return new NoticeQueue(
    {
      async send(userId, notice, signal) {
        const user = parts().users.byId(userId)
        const request = user && noticeRequest(readOwnSetting(user), notice)
        if (user && request) await deliver(request, user, parts(), signal)
      },
      failed(userId, { message, reason }) {
        const { users, ledger } = parts()
        const user = users.byId(userId)
        if (!user) return
        const why = withoutReceiver(message, user)
        const content: Sentence = {
          message: `A notice to "${user.username}" was not delivered: ${why}. The address for notices is among the user's own settings.`,
          reason: {
            code: 'audit_notice_undelivered',
            user: user.username,
            why: withoutHost(reason),
          },
        }
        const row = eventRow(4, user, content, { requestId: requestId(), ip: '' })
        ledger.record(row).catch((error: unknown) => {
          log.error({ err: error }, 'an undelivered notice could not be logged')
        })
      },
    },
    log,
  )
}

/** Tells a user of something, in the way that they have chosen; never throws, and nobody waits for it. */
export function notify(user: User, notice: Notice, { notices, log }: GatewayParts): void {
  try {
    if (noticeRequest(readOwnSetting(user), notice)) notices.add(user.id, notice)
  } catch (error) {
    log.error({ err: error, user: user.id }, 'a notice could not be made')
  }
}

/** Tells the owner of the gateway. */
export function notifyOwner(notice: Notice, parts: GatewayParts): void {
  const owner = findOwner(parts.users)
  if (owner) notify(owner, notice, parts)
}
