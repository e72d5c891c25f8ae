import { expect, test } from 'vitest'
import { moonshotBalance } from '../../../main/adaptor/balance.ts'

test.each([
  ['https://api.moonshot.cn', { CNY: 49.5 }],
  ['https://api.moonshot.ai', { USD: 49.5 }],
])('what is left at %s is in the money that is paid there', (baseUrl, left) => {
  const [call] = moonshotBalance({ baseUrl, root: '/v1' })
  expect(call?.parse({ data: { available_balance: 49.5 } })).toEqual(left)
})
