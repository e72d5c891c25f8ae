import { generateSecret, verifySync } from 'otplib'

const DIGITS = 6
const PERIOD = 30

/** 20 random bytes in base32. */
export const createSecret = (): string => generateSecret({ length: 20 })

/** The six digits of a code, however they were typed; null when it cannot be one. */
export function readTotp(typed: string): string | null {
  const code = typed.replace(/\s/g, '')
  return /^\d{6}$/.test(code) ? code : null
}

/**
 * The 30-second step whose code this is, one step early or late included (RFC 6238); null when it is
 * wrong. Of a secret that cannot be read no code is right.
 */
export function totpStep(code: string, secret: string | null): number | null {
  if (!secret) return null
  const result = verifySync({
    secret,
    token: code,
    digits: DIGITS,
    period: PERIOD,
    epochTolerance: PERIOD,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/**
 * URL that authenticator apps read from a QR code. A colon would end the issuer's name in it, so there is
 * none but that one. https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function totpAddress(secret: string, username: string, systemName: string): string {
  const [issuer, account] = [systemName, username].map((name) => name.replaceAll(':', ' '))
  const label = `${encodeURIComponent(`${issuer}`)}:${encodeURIComponent(`${account} (${issuer})`)}`
  const query = [
    ['secret', secret],
    ['issuer', issuer ?? ''],
    ['digits', String(DIGITS)],
    ['period', String(PERIOD)],
  ].map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
  return `otpauth://totp/${label}?${query.join('&')}`
}
