import { isIP } from 'node:net'
import { addressMatcher } from './address-list.ts'
import { hostOf } from './host-of.ts'

const isLoopback = addressMatcher(['127.0.0.0/8', '::1'])

/**
 * May an update feed be read from here? Over https, so that nobody on the way changes what it says; over http
 * on this machine only. No user name or password may be in it, since it is shown.
 */
export function isFeedAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  const host = hostOf(url)
  return (
    url.protocol === 'http:' && (host === 'localhost' || (isIP(host) !== 0 && isLoopback(host)))
  )
}
