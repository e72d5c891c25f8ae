import type { Failure, Refusal } from './failure.ts'
import { codes, sentences } from './vendor-codes.ts'

/** Bytes of a refusal in which its reason stands. */
const BEGINNING = 16 * 1024

const ofRequest: ReadonlySet<string> = new Set([...codes.requestAtFault, ...codes.profileRefused])

/** Is a 403 about the request, and not about who sent it? `words` are the vendor's codes. */
export const isAboutRequest = (text: string, words: readonly (string | null)[]): boolean =>
  words.some((word) => word !== null && ofRequest.has(word.toLowerCase())) ||
  sentences.fileRefused.test(text) ||
  sentences.contentFlagged.test(text)

const ofMoney: ReadonlySet<string> = new Set(codes.noMoney)

/** The status that most vendors have where one says 403 or 412 for an account without money, or a plan that is used up. */
export type AccountStatus = 402 | 429

/** Is a refusal about the account's money or plan, and not about its key? The client gets the usual status then. */
export function accountStatus(
  status: number | null,
  words: readonly (string | null)[],
  message: string,
): AccountStatus | null {
  if (status !== 403 && status !== 412) return null
  const isOfMoney = words.some((word) => word !== null && ofMoney.has(word.toLowerCase()))
  if (isOfMoney || sentences.noMoney.test(message)) return 402
  return sentences.planUsedUp.test(message) ? 429 : null
}

/** Does the vendor refuse the channel's key? `message` is its sentence. */
export function refusesKey(
  { status, body }: Refusal,
  words: readonly string[],
  message: string,
): boolean {
  if (status === 401) return true
  if (accountStatus(status, words, message)) return false
  if (status === 403) return !isAboutRequest(body.toString('utf8', 0, BEGINNING), words)
  if (status !== 400) return false
  const isGoogles = sentences.googleBadKey.test(body.toString('latin1', 0, BEGINNING))
  return isGoogles || sentences.badKey.test(message)
}

/** Does it tell of a refused key, by status or by the vendor's words for it? */
export const isKeyRefused = ({ status, words, vendorMessage, refusesKey }: Failure): boolean =>
  refusesKey ||
  (status === 403 && !accountStatus(status, words, vendorMessage)) ||
  words.some((word) => codes.badKey.some((one) => one === word))
