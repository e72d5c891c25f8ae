import { randomBytes, randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `length` characters of A-Z a-z 0-9, each equally likely. */
export function randomText(length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) text += LETTERS[randomInt(LETTERS.length)]
  return text
}

let second = 0
let stamp = ''
let pool = ''
let at = 0

/** A request id: UTC date and time, then 12 random hex digits, e.g. `20261121101534a1b2c3d4e5f6`. */
export function requestId(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    stamp = new Date(now * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
  }
  // Random bytes are drawn for many ids at once: a system call for each would cost more than the id.
  if (at + 12 > pool.length) {
    pool = randomBytes(3072).toString('hex')
    at = 0
  }
  const id = stamp + pool.slice(at, at + 12)
  at += 12
  return id
}
