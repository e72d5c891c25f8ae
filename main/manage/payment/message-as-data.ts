import { GatewayError } from '../../base/errors.ts'
import { FailedReply } from '../operation/operation.ts'

/** Does it; the message of its failure is its `data` too, where clients of new-api read it. */
export async function withMessageAsData<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof GatewayError) || error instanceof FailedReply) throw error
    throw new FailedReply(error, { data: error.message })
  }
}
