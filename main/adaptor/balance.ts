import { GatewayError } from '../base/errors.ts'
import { joinBeside, joinUrl, parseBaseUrl } from './url/join-url.ts'

/** Balance left at a vendor, in one currency or several. */
export type Money = Readonly<Partial<Record<'USD' | 'CNY', number>>>

/** A question for what is left; null where the answer does not say, so that the next one is to be asked. */
export interface BalanceCall {
  url: string
  parse(body: unknown): Money | null
}

/** The questions of one vendor, in the order in which they are asked, given its API's address. */
export type BalanceCalls = (place: { baseUrl: string; root: string }) => readonly BalanceCall[]

type Json = Record<string, unknown>

const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

/** A number, also where it is written as text, as most vendors do. */
function amount(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new GatewayError('upstream_invalid', {
    message: 'The upstream answered without a balance. Check the base URL.',
    reason: { code: 'answer_without_balance' },
  })
}

/** These vendors bill in yuan at their Chinese address, in dollars elsewhere; the answer does not say. */
const currencyAt = (baseUrl: string): 'USD' | 'CNY' =>
  parseBaseUrl(baseUrl).hostname.endsWith('.cn') ? 'CNY' : 'USD'

/**
 * The balance is told to the account's management keys
 * (https://openrouter.ai/docs/api/api-reference/credits/get-credits), what a key with a limit has left to
 * that key (https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key).
 */
export const openRouterBalance: BalanceCalls = ({ baseUrl, root }) => [
  {
    url: joinUrl(baseUrl, '/credits', root),
    parse(body) {
      const { total_credits: bought, total_usage: used } = asJson(asJson(body).data)
      return { USD: amount(bought) - amount(used) }
    },
  },
  {
    url: joinUrl(baseUrl, '/key', root),
    parse(body) {
      const { limit_remaining: left } = asJson(asJson(body).data)
      return left === null ? null : { USD: amount(left) }
    },
  },
]

/** https://api-docs.deepseek.com/api/get-user-balance */
export const deepSeekBalance: BalanceCalls = ({ baseUrl, root }) => [
  {
    url: joinBeside(baseUrl, '/user/balance', root),
    parse(body) {
      const { balance_infos: infos } = asJson(body)
      const sums: { USD?: number; CNY?: number } = {}
      for (const info of Array.isArray(infos) ? infos : [undefined]) {
        const { currency, total_balance: total } = asJson(info)
        const name = currency === 'USD' ? 'USD' : 'CNY'
        sums[name] = (sums[name] ?? 0) + amount(total)
      }
      return sums
    },
  },
]

/** https://platform.moonshot.ai/docs/api/balance , https://platform.moonshot.cn/docs/api/balance */
export const moonshotBalance: BalanceCalls = ({ baseUrl, root }) => [
  {
    url: joinUrl(baseUrl, '/users/me/balance', root),
    parse: (body) => ({
      [currencyAt(baseUrl)]: amount(asJson(asJson(body).data).available_balance),
    }),
  },
]
