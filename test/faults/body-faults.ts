import { gzipSync } from 'node:zlib'
import { type Fault, fails, toldStatus } from './fault.ts'
import { head, JSON_TYPE, sendEvents, sendWhole } from './raw-answer.ts'
import { sentenceOf, vendorError } from './vendor-answer.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const page = (title: string) =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`

const redirect = (status: number): Fault => ({
  name: `redirect ${status}`,
  play: (exchange) => sendWhole(exchange, status, { location: 'http://127.0.0.1:9/login' }, ''),
  expected: () => fails(502),
})

/** Answers whose words are wrong, or only their labels. */
export const bodyFaults: readonly Fault[] = [
  {
    name: 'a web page with 200',
    play: (exchange) => sendWhole(exchange, 200, HTML, page('Sign in')),
    expected: () => fails(502, { says: 'web page' }),
  },
  {
    name: 'a web page with 502',
    play: (exchange) => sendWhole(exchange, 502, HTML, page('Bad gateway')),
    expected: () => fails(502, { says: 'Bad gateway' }),
  },
  {
    name: 'a web page as event stream',
    only: 'stream',
    play: (exchange) => sendEvents(exchange, [page('Sign in')]),
    expected: () => fails(502),
  },
  {
    name: 'JSON called plain text',
    only: 'whole',
    play: (exchange, { answer }) =>
      sendWhole(exchange, 200, { 'content-type': 'text/plain' }, answer.whole),
    expected: () => ({ kind: 'answer' }),
  },
  {
    name: 'JSON without a type',
    only: 'whole',
    play: (exchange, { answer }) => sendWhole(exchange, 200, {}, answer.whole),
    expected: () => ({ kind: 'answer' }),
  },
  {
    name: 'events called plain text',
    only: 'stream',
    play: (exchange, { answer }) =>
      sendEvents(exchange, answer.events, { 'content-type': 'text/plain' }),
    expected: () => ({ kind: 'answer' }),
  },
  {
    name: 'events without a type',
    only: 'stream',
    play: (exchange, { answer }) => sendEvents(exchange, answer.events, {}),
    expected: () => ({ kind: 'answer' }),
  },
  {
    name: 'nothing with 200',
    play: (exchange, { stream }) =>
      sendWhole(exchange, 200, stream ? { 'content-type': 'text/event-stream' } : JSON_TYPE, ''),
    expected: () => fails(502),
  },
  {
    name: 'nothing with 204',
    async play(exchange) {
      await exchange.write(head(204))
      exchange.done()
    },
    expected: () => fails(502),
  },
  {
    name: 'an error packed with gzip',
    play: (exchange, { upstream }) =>
      sendWhole(
        exchange,
        429,
        { ...JSON_TYPE, 'content-encoding': 'gzip' },
        gzipSync(JSON.stringify(vendorError(upstream, 429))),
      ),
    expected: (scene) => fails(toldStatus(scene, 429), { says: sentenceOf(429) }),
  },
  {
    name: 'an error with 200',
    play: (exchange, { upstream }) =>
      sendWhole(exchange, 200, JSON_TYPE, JSON.stringify(vendorError(upstream, 503))),
    expected: () => fails([500, 502, 503, 529], { says: sentenceOf(503) }),
  },
  {
    name: 'an error in words of its own with 200',
    play: (exchange) =>
      sendWhole(exchange, 200, JSON_TYPE, '{"code":1302,"msg":"The vendor is busy."}'),
    expected: () => fails([429, 500, 502, 503, 529], { says: 'The vendor is busy.' }),
  },
  redirect(302),
  redirect(307),
]
