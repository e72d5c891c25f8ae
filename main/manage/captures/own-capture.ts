import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Capture } from '../../capture/capture.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** Role from which on all captures may be seen. */
/** The call's id, as its row in the log has it. */
export const captureId = z.string().min(1).max(200)

/** Number of an attempt, from 0; none = the last. */
export const exchangeNumber = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{1,4}$/)
        .transform(Number),
    ],
    'must be a number from 0',
  )
  .optional()
  .describe('Number of the attempt, from 0; none = the last.')

export const captureGone = (field: string) =>
  new GatewayError('not_found', {
    message:
      'There is no capture of this call. It was not captured, or the capture is gone: the gateway restarted, or newer calls took its place.',
    field,
    reason: { code: 'no_capture' },
  })

/** As in one's own rows of the log, channels and their addresses are left out. */
const clientSide = (capture: Capture): Capture => ({
  ...capture,
  exchanges: [],
  ...(capture.frames
    ? { frames: capture.frames.filter(({ border }) => border.startsWith('client')) }
    : {}),
})

const isAdministrator = (context: OperationContext): boolean =>
  hasAdministratorRole(signedIn(context))

/** Throws `forbidden` for who may see no captures at all. */
export function requireCaptures(context: OperationContext): void {
  if (isAdministrator(context) || context.parts.settings.current.CaptureForUsers) return
  throw new GatewayError('forbidden', {
    message:
      'Only administrators see captures here. The owner can change that in Settings (CaptureForUsers).',
    reason: { code: 'captures_for_administrators' },
  })
}

/**
 * A capture that who asks may see: an administrator each, others the client's side of their own calls, if the owner
 * lets them. Null where there is none.
 */
export function visibleCapture(id: string, context: OperationContext): Capture | null {
  requireCaptures(context)
  const capture = context.parts.captures.find(id)
  if (!capture || isAdministrator(context)) return capture
  return capture.userId === signedIn(context).id ? clientSide(capture) : null
}

/** As `visibleCapture`; throws `not_found` where there is none. */
export function ownCapture(id: string, context: OperationContext): Capture {
  const capture = visibleCapture(id, context)
  if (!capture) throw captureGone('request_id')
  return capture
}

/** The number of an attempt of this capture; throws `invalid_params` for one that was never made. */
export function exchangeOf({ exchanges }: Capture, asked: number | undefined): number {
  const last = Math.max(0, exchanges.length - 1)
  if (asked === undefined) return last
  if (asked >= 0 && asked <= last) return asked
  throw new GatewayError('invalid_params', {
    message: `There is no attempt ${asked}: this call has ${exchanges.length}, counted from 0.`,
    field: 'exchange',
    reason: { code: 'no_such_attempt', asked, count: exchanges.length },
  })
}
