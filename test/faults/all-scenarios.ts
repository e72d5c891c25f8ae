import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireFormat } from '../../main/convert/exchange.ts'
import { questionOf } from './faulty-call.ts'
import { otherScenarios } from './other-scenarios.ts'
import { beginChunked, EVENTS_TYPE } from './raw-answer.ts'
import { answerWell, comesTrue, refuse, type Scenario, scenario } from './scenarios.ts'
import { vendorAnswer } from './vendor-answer.ts'

const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']

/** A connection that was kept is closed by the upstream just as the next call is sent over it. */
const reuse = (client: WireFormat, stream: boolean): Scenario =>
  scenario(
    'closed as it is used again',
    client,
    stream,
    {},
    [
      ({ index, socket }, good) => (index === 0 ? good() : void socket.resetAndDestroy()),
      answerWell,
    ],
    async ({ call, channels, demand }) => {
      await call()
      const { answer, tried } = await call()
      demand(answer.status === 200, `status ${answer.status}`)
      // Over a new connection, or elsewhere.
      const isSeen = tried.join() === channels.join() || tried.join() === String(channels[0])
      demand(isSeen, `tried ${tried}`)
    },
  )

const cooldown = (client: WireFormat, stream: boolean): Scenario => {
  let isDown = true
  return scenario(
    'left alone while it cools down, and tried again',
    client,
    stream,
    { ChannelFailureCount: 2, ChannelCooldownSeconds: 1, RetryWaitSeconds: 0 },
    [(exchange, good) => (isDown ? refuse(client, 500)(exchange, good) : good()), answerWell],
    async ({ call, channels, demand }) => {
      const [first, second] = channels
      for (const index of [1, 2]) {
        const { answer, tried } = await call()
        demand(answer.status === 200 && tried.join() === channels.join(), `call ${index}: ${tried}`)
      }
      const { tried, route } = await call()
      demand(tried.join() === String(second), `while it cools down: ${tried}`)
      const note = route?.candidates.find(({ id }) => id === first)
      const until = note?.until ?? 0
      demand(note?.why === 'open', `the route says ${JSON.stringify(note)}`)
      demand(until > Date.now() - 3000 && until < Date.now() + 3000, `cooling until ${until}`)
      isDown = false
      await sleep(1500)
      const again = await call()
      demand(again.tried.join() === String(first), `after the cooldown: ${again.tried}`)
      const then = await call()
      demand(then.tried.join() === String(first), `after the good trial: ${then.tried}`)
    },
  )
}

const told = (client: WireFormat, stream: boolean): Scenario => {
  let asked = 0
  return scenario(
    'the only channel was told to wait: the client hears it at once',
    client,
    stream,
    { RetryWaitSeconds: 0 },
    [
      (exchange, good) => {
        asked++
        return refuse(client, 429, { 'retry-after': '20' })(exchange, good)
      },
    ],
    async ({ call, demand }) => {
      await call()
      const { answer } = await call()
      demand(answer.status === 429, `status ${answer.status}`)
      const wait = Number(answer.headers['retry-after'])
      demand(wait >= 15 && wait <= 20, `retry-after ${answer.headers['retry-after']}`)
      demand(asked === 1, `the vendor was asked ${asked} times`)
    },
  )
}

const waited = (client: WireFormat, stream: boolean): Scenario =>
  scenario(
    'a short wait is waited for',
    client,
    stream,
    { RetryWaitSeconds: 5 },
    [
      (exchange, good) =>
        exchange.index === 0 ? refuse(client, 429, { 'retry-after': '1' })(exchange, good) : good(),
    ],
    async ({ call, demand }) => {
      await call()
      const { answer, route } = await call()
      demand(answer.status === 200, `status ${answer.status}: ${answer.body.slice(0, 200)}`)
      const note = route?.attempts[0]
      demand((note?.waited ?? 0) > 300, `waited ${note?.waited} ms`)
    },
  )

const slowIsFinal = (client: WireFormat, stream: boolean, status: number): Scenario =>
  scenario(
    `${status} with RetryOnTimeout off`,
    client,
    stream,
    { RetryOnTimeout: false },
    [refuse(client, status), answerWell],
    async ({ call, channels, demand }) => {
      const { answer, tried } = await call()
      demand(answer.status === status, `status ${answer.status}`)
      demand(tried.join() === String(channels[0]), `tried ${tried}`)
    },
  )

const pinned = (client: WireFormat, stream: boolean): Scenario =>
  scenario(
    'a pinned channel is the only one',
    client,
    stream,
    {},
    [refuse(client, 500), answerWell],
    async ({ call, channels, gateway, demand }) => {
      const { answer, tried } = await call(`${gateway.key}-${channels[0]}`)
      demand(answer.status === 500, `status ${answer.status}`)
      demand(tried.join() === String(channels[0]), `tried ${tried}`)
    },
  )

/** The client leaves before anything came, or in the middle of a stream. */
const leaving = (client: WireFormat, stream: boolean): Scenario => {
  const { events } = vendorAnswer(client, 'model-a', 10, 20)
  return scenario(
    'a client that leaves frees the upstream',
    client,
    stream,
    {},
    [
      async (exchange) => {
        // The call's own connection says when nobody wants it any more.
        if (stream) {
          await beginChunked(exchange, EVENTS_TYPE, events.slice(0, 5))
        }
      },
      answerWell,
    ],
    async ({ gateway, upstreams, channels, demand }) => {
      const { path, body } = questionOf({ client, model: 'model-a', stream })
      const sent = request(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
        },
      })
      sent.on('error', () => {})
      sent.on('response', (incoming) => incoming.on('error', () => {}).resume())
      sent.end(JSON.stringify(body))
      const [upstream] = upstreams
      demand(await comesTrue(() => upstream?.busy() === 1, 5000), 'the upstream is never asked')
      await sleep(100)
      const left = performance.now()
      sent.destroy()
      demand(await comesTrue(() => upstream?.open() === 0, 5000), 'the upstream is never freed')
      const after = Math.round(performance.now() - left)
      demand(after < 500, `freed after ${after} ms`)
      const [row] = await gateway.rowsWhen(1)
      const other = JSON.parse(row?.other ?? '{}')
      demand(row?.status === 499 && other.cancelled === true, `booked as ${row?.status}`)
      demand(other.admin_info?.use_channel?.join() === String(channels[0]), 'another was asked')
    },
  )
}

const each = (make: (client: WireFormat, stream: boolean) => Scenario): Scenario[] =>
  formats.flatMap((client) => [make(client, false), make(client, true)])

const inEachFormat: readonly Scenario[] = [
  ...each(reuse),
  ...each(cooldown),
  ...each(told),
  ...each(waited),
  ...each((client, stream) => slowIsFinal(client, stream, 504)),
  ...each((client, stream) => slowIsFinal(client, stream, 524)),
  ...each(pinned),
  ...each(leaving),
]

/** Scenarios that take several calls, in every format, streamed or not. */
export const allScenarios: readonly Scenario[] = [...inEachFormat, ...otherScenarios]

/** One of each kind, the formats and shapes in turn. */
export const sampleScenarios: readonly Scenario[] = [
  ...inEachFormat.filter((_, index) => index % 8 === (Math.floor(index / 8) * 3) % 8),
  ...otherScenarios,
]
