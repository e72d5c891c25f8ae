import { GatewayError } from '../../base/errors.ts'
import type { OperationContext } from '../operation/operation.ts'

export const isLocal = ({ via, loopback }: OperationContext): boolean => via === 'ipc' || loopback

/** Files are changed for who sits at this machine, and for nobody else. */
export function onlyLocal(context: OperationContext): void {
  if (isLocal(context)) return
  throw new GatewayError('forbidden', {
    message:
      'Tools are connected only from the machine that Switchyard runs on. Open the console there, or paste the text that is shown here.',
    reason: { code: 'tools_only_local' },
  })
}
