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

/** Is a 403 about the account's money? Most vendors say 402 then, so a client gets that. */
export const lacksMoney = (status: number | null, words: readonly (string | null)[]): boolean =>
  status === 403 && words.some((word) => word !== null && ofMoney.has(word.toLowerCase()))

/** Does the vendor refuse the channel's key? */
export function refusesKey({ status, body }: Refusal, words: readonly string[]): boolean {
  if (status === 401) return true
  if (lacksMoney(status, words)) return false
  if (status === 403) return !isAboutRequest(body.toString('utf8', 0, BEGINNING), words)
  return status === 400 && sentences.googleBadKey.test(body.toString('latin1', 0, BEGINNING))
}

/** Does it tell of a refused key, by status or by the vendor's words for it? */
export const isKeyRefused = ({ status, words, refusesKey }: Failure): boolean =>
  refusesKey ||
  (status === 403 && !lacksMoney(status, words)) ||
  words.some((word) => codes.badKey.some((one) => one === word))
