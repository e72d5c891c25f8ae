import { generateSync } from 'otplib'
import { onTestFinished, vi } from 'vitest'
import type { Visitor } from '../management.ts'

/** Milliseconds after which an app shows another code. */
const STEP = 30_000

/** The clock of this process from now on: stands still unless a test moves it. */
export function holdClock(): { advance(seconds: number): void } {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  return { advance: (seconds) => void vi.setSystemTime(Date.now() + seconds * 1000) }
}

/** An authenticator app with one account in it. Needs `holdClock`. */
export interface Authenticator {
  secret: string
  backupCodes: string[]
  /** The code that the app shows so many steps from now. */
  code(steps?: number): string
  /** A code that was not used yet: it waits for the next step. */
  fresh(): string
  /** Six digits that no step of these minutes has. */
  wrong(): string
}

export function createAuthenticator(secret: string, backupCodes: string[]): Authenticator {
  const code = (steps = 0) =>
    generateSync({ secret, epoch: Math.floor((Date.now() + steps * STEP) / 1000) })
  return {
    secret,
    backupCodes,
    code,
    fresh() {
      vi.setSystemTime(Date.now() + STEP)
      return code()
    },
    wrong() {
      const near = [-2, -1, 0, 1, 2].map((steps) => code(steps))
      return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
        (one) => !near.includes(one),
      ) as string
    },
  }
}

/** Sets a second factor up for the visitor's user, and switches it on. */
export async function enableSecondFactor(visitor: Visitor): Promise<Authenticator> {
  const { data } = (await visitor.send('POST', '/api/user/2fa/setup')).body
  const app = createAuthenticator(data.secret, data.backup_codes)
  const { status, body } = await visitor.send('POST', '/api/user/2fa/enable', { code: app.code() })
  if (status !== 200) throw new Error(body.message)
  return app
}
