import type { Cancellation } from '../../base/cancellation.ts'
import type { OpenCalls } from '../limits/open-calls.ts'

/**
 * Waits so many milliseconds; rejects at once with the reason when the call is ended meanwhile, or when the gateway
 * is to stop: what follows it answers sooner.
 */
export function wait(
  milliseconds: number,
  cancellation: Cancellation,
  openCalls: Pick<OpenCalls, 'refusal' | 'onRefusal'>,
): Promise<void> {
  if (openCalls.refusal) return Promise.reject(openCalls.refusal)
  return new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer)
      forgetStop()
      cancellation.listen(null)
    }
    const fail = (reason: unknown) => {
      over()
      reject(reason)
    }
    const timer = setTimeout(() => {
      over()
      resolve()
    }, milliseconds)
    const forgetStop = openCalls.onRefusal(fail)
    cancellation.listen(fail)
  })
}
