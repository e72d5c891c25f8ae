import { type Fault, fails } from './fault.ts'
import { goodAnswer } from './good-answer.ts'
import { head, resetSoon } from './raw-answer.ts'

const SHORT = 0.8
const nothing = () => {}

/** Faults before an answer has begun. */
export const connectionFaults: readonly Fault[] = [
  {
    name: 'connection refused',
    place: ({ closed }) => closed,
    play: nothing,
    expected: () => fails(502),
  },
  {
    name: 'host name unknown',
    place: () => 'http://nothing.invalid',
    play: nothing,
    expected: () => fails(502),
  },
  {
    name: 'self-signed certificate',
    place: ({ tls }) => tls,
    play: goodAnswer,
    expected: () => fails(502),
  },
  {
    name: 'no TLS where it is expected',
    place: ({ plain }) => plain.replace('http:', 'https:'),
    play: nothing,
    expected: () => fails(502),
  },
  {
    name: 'TLS handshake hangs',
    place: ({ silent }) => silent.replace('http:', 'https:'),
    play: nothing,
    limits: { connect_seconds: SHORT },
    expected: () => fails(504),
  },
  {
    name: 'reset before headers',
    play: ({ socket }) => void socket.resetAndDestroy(),
    expected: () => fails(502),
  },
  {
    name: 'closed before headers',
    play: ({ socket }) => void socket.end(),
    expected: () => fails(502),
  },
  {
    name: 'reset in headers',
    async play(exchange) {
      await exchange.write('HTTP/1.1 200 OK\r\ncontent-type: applica')
      await resetSoon(exchange)
    },
    expected: () => fails(502),
  },
  {
    name: 'reset after headers',
    async play(exchange, { stream }) {
      const type = stream ? 'text/event-stream' : 'application/json'
      await exchange.write(head(200, { 'content-type': type, 'transfer-encoding': 'chunked' }))
      await resetSoon(exchange)
    },
    expected: () => fails(502),
  },
  {
    name: 'no headers in time',
    play: nothing,
    limits: { first_byte_seconds: SHORT },
    expected: () => fails(504),
  },
  {
    name: 'no headers and no limit but silence',
    play: nothing,
    limits: { idle_seconds: SHORT },
    expected: () => fails(504),
  },
  {
    name: 'another protocol than HTTP',
    async play(exchange) {
      await exchange.write('SSH-2.0-OpenSSH_9.6\r\n')
    },
    expected: () => fails(502),
  },
  {
    name: 'header flood',
    async play(exchange) {
      await exchange.write('HTTP/1.1 200 OK\r\n')
      const line = `x-flood: ${'a'.repeat(1000)}\r\n`.repeat(20)
      for (let count = 0; count < 5000; count++) if (!(await exchange.write(line))) return
    },
    expected: () => fails(502),
  },
  {
    name: 'three early hints',
    async play(exchange, scene) {
      const hint = head(103, { link: '</style.css>; rel=preload' })
      await exchange.write(hint.repeat(3))
      await goodAnswer(exchange, scene)
    },
    expected: () => ({ kind: 'answer' }),
  },
  {
    name: 'early hints without end',
    async play(exchange) {
      const hints = head(103, { link: '</style.css>; rel=preload' }).repeat(50)
      while (await exchange.write(hints)) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    limits: { first_byte_seconds: SHORT },
    expected: () => fails([502, 504]),
  },
]
