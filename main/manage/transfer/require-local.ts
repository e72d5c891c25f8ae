import { GatewayError } from '../../base/errors.ts'
import type { OperationContext } from '../operation/operation.ts'

/** The files are this machine's: who asks from elsewhere has no business with them. */
export function requireLocal(
  { via, loopback }: Pick<OperationContext, 'via' | 'loopback'>,
  subject = 'Keys are looked for',
): void {
  if (via === 'ipc' || loopback) return
  throw new GatewayError('forbidden', {
    message: `${subject} only when the console is open on the machine that Switchyard runs on.`,
    reason: { code: 'transfer_only_local' },
  })
}
