import { unixSeconds } from '../../../main/base/clock.ts'
import { createConsoleCalls } from '../../../main/desktop/console-calls.ts'
import { addOrder } from '../../../main/store/payment/orders.ts'
import type { RouteFields } from '../../../main/store/records/routes.ts'
import { claudeCodeHeaders } from '../agent-requests/claude-code.ts'
import {
  addInspectedChannels,
  type InspectedCalls,
  makeInspectedCalls,
} from '../captures/inspected-calls.ts'
import type { Pair } from './pair.ts'

/** 80 characters without a place to break the line, the worst that a table can be given. */
const longName = (number: number): string =>
  `relay-${String(number).padStart(3, '0')}-`.padEnd(80, 'of-a-vendor-with-a-long-name-')

const tradeNo = (number: number): string => `ref_${String(number).padStart(40, '0')}`

const statuses = ['pending', 'success', 'refunded'] as const

const others = 20

/** Targets that share the calls, one that no channel serves, and rules with every condition. */
const fullRoute = (number: number): RouteFields => {
  const any = { channelId: null, tag: null, weight: 0 }
  const target = { ...any, model: longName(6), channelId: 6, weight: 1 }
  const targets = [target, { ...target, weight: 2 }, { ...any, model: longName(999) }]
  const name = number % 2 === 0 ? 'talker' : longName(number)
  const when = { images: true, tools: false, webSearch: true, reasoning: true, background: false }
  return {
    name: `${name}${number === 2 ? '' : number}`,
    targets,
    rules: [
      {
        name: longName(1).slice(0, 60),
        when: { ...when, minInputTokens: 1000, clients: [longName(2)], tokenIds: [1, 2] },
        targets,
      },
      { name: 'nowhere', when: { maxInputTokens: 10 }, targets: [{ ...any, model: 'none' }] },
    ],
  }
}

/** As much as a console has to bear, in an empty gateway whose vendor is `inspectedVendor`. */
export async function fillGateway(pair: Pair): Promise<InspectedCalls> {
  const { gateway, addChannelOf, send } = pair
  const { parts } = gateway
  gateway.set({ GroupRatio: { default: 1, [longName(0)]: 2 } })
  const created = await createConsoleCalls(parts).call('redemption.create', {
    ...{ name: 'w'.repeat(20), count: others, quota: 2_500_000 },
  })
  if (!created.ok) throw new Error(created.error.message)
  addInspectedChannels(pair)
  gateway.addChannel({ type: 900, name: 'Echo', key: '', models: ['echo', 'echo-mini'] })
  addChannelOf('chat', {
    name: longName(5),
    key: 'sk-one\nsk-two\nsk-three',
    tag: longName(0),
    priority: 9,
    multiKeyMode: 'random',
  })
  for (let number = 6; number <= 201; number++) {
    const channel = addChannelOf('chat', {
      name: longName(number),
      models: [longName(number), 'talker'],
      tag: number % 3 === 0 ? 'work' : null,
    })
    if (number % 4 === 0)
      parts.channels.update(channel.id, {
        status: 3,
        otherInfo: JSON.stringify({
          status_reason: 'The vendor refused the key: Incorrect API key provided.',
          status_time: unixSeconds() - 60,
        }),
      })
  }
  for (let number = 1; number <= others; number++) {
    parts.routes.create(fullRoute(number))
    gateway.addToken({
      name: longName(number),
      modelLimitsEnabled: true,
      modelLimits: [longName(6), 'echo'],
    })
    parts.users.create({ username: longName(number), displayName: `${number} ${longName(number)}` })
  }

  const start = unixSeconds() - 20_000
  const rows = Array.from({ length: 10_000 }, (_, number) =>
    parts.ledger.record({
      ...{ requestId: `filled-${number}`, createdAt: start + number, type: 2, userId: 1 },
      ...{ username: 'owner', tokenId: 2, tokenName: longName(1), channelId: 6 },
      ...{ channelName: longName(6), model: longName(number % 3), group: 'default' },
      ...{ ip: '127.0.0.1', content: '', quota: 1_234_567, promptTokens: 1_234_567 },
      ...{ completionTokens: 76_543, useTime: 65_432, isStream: true, status: 200 },
      ...{ cachedTokens: 1_000_000, isUnpriced: false, isEstimated: false },
      other: JSON.stringify({ request_path: '/v1/chat/completions', wire_format: 'chat' }),
    }),
  )
  for (let number = 1; number <= others; number++) {
    rows.push(
      Promise.resolve(
        parts.ledger.transact((transaction) => {
          addOrder(transaction, {
            ...{ userId: 2, tradeNo: tradeNo(number), provider: 'creem', amount: 10_000_000 },
            ...{ money: 19, credit: 10_000_000, productId: 'prod_1', currency: 'eur' },
            ...{ expectedAmount: 1900, paidAmount: null, paymentId: '' },
            ...{ checkoutId: 'ch_1', checkoutUrl: 'https://example.com/ch_1' },
            ...{
              isLive: false,
              status: statuses[number % 3] ?? 'pending',
              clawedBack: 0,
              notes: [],
            },
            ...{ createTime: start - 1_000_000, completeTime: start - 999_000 },
          })
        }),
      ),
    )
  }
  await Promise.all(rows)

  await send('/v1/messages', {
    headers: claudeCodeHeaders,
    body: {
      model: 'thinker',
      max_tokens: 4000,
      stream: true,
      messages: [{ role: 'user', content: longName(1).repeat(3) }],
    },
  })
  return makeInspectedCalls(pair)
}
