import { expect, test } from 'vitest'
import { Secrets } from '../../../main/base/log/redact.ts'

function knowing(...list: string[]): Secrets {
  const secrets = new Secrets()
  secrets.follow({ version: () => list.length, list: () => list })
  return secrets
}

const SECRET = 'sk-Ädistinctive "key"/+?&\\7'

test.each([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify({ message: `no: ${SECRET}` })],
  ['in a URL', `http://host/?key=${encodeURIComponent(SECRET)}&more=1`],
  ['in a form', new URLSearchParams({ key: SECRET }).toString()],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['behind a name in base64', Buffer.from(`ab:${SECRET}`).toString('base64')],
  ['between words in base64', Buffer.from(`abcd ${SECRET} rest`).toString('base64url')],
])('a secret is taken out %s', (_where, text) => {
  const told = knowing(SECRET).redact(`before ${text} after`)
  expect(told).toMatch(/^before .*after$/s)
  expect(told).toContain('***')
  for (const part of ['distinctive', encodeURIComponent('Ä'), text.slice(8, 24)])
    expect(told).not.toContain(part)
})

test('a secret is taken out of a URL whose escapes are in small letters', () => {
  const inUrl = encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())
  expect(inUrl).not.toBe(encodeURIComponent(SECRET))
  expect(knowing(SECRET).redact(`?key=${inUrl}&more`)).toBe('?key=***&more')
})

test('what is no secret stays, to the letter', () => {
  const text = 'short and sk-distinctive are no secrets; nor is "short", 12345678 or öäü😀'
  expect(knowing('short', SECRET).redact(text)).toBe(text)
})

test('of two secrets the longer one is taken out, and each as often as it stands there', () => {
  const secrets = knowing('key-11111111', 'key-11111111-22222222')
  expect(secrets.redact('key-11111111-22222222key-11111111,key-1111111')).toBe('******,key-1111111')
})

test('a secret that was replaced is still one, and a new one is one at once', () => {
  const list = ['first-secret']
  const secrets = knowing()
  let version = 0
  const end = secrets.follow({ version: () => version, list: () => list })
  expect(secrets.redact('first-secret')).toBe('***')
  list[0] = 'second-secret'
  version++
  expect(secrets.redact('first-secret second-secret')).toBe('*** ***')
  end()
  expect(secrets.redact('first-secret')).toBe('***')
})

test('thousands of secrets cost a text hardly more than one', () => {
  const secrets = knowing(
    ...Array.from({ length: 5000 }, (_, index) => `sk-${index}-${'x'.repeat(40)}`),
  )
  const text = 'an error like any other, {"code":"upstream_error","message":"it failed"} '.repeat(
    20_000,
  )
  secrets.redact('')
  const from = performance.now()
  expect(secrets.redact(text)).toBe(text)
  // 1.5 MB; looking for each of them in turn takes minutes.
  expect(performance.now() - from).toBeLessThan(20_000)
})

test("thousands of one vendor's keys, which begin alike, hold up no text that holds that beginning", () => {
  const keys = Array.from({ length: 5000 }, (_, index) => `sk-proj-${'x'.repeat(40)}${index}`)
  const text = 'sk-proj-sk-proj-xxxx '.repeat(20_000)
  const from = performance.now()
  expect(knowing(...keys).redact(text)).toBe(text)
  // Each in turn, at each of 40,000 places, takes minutes.
  expect(performance.now() - from).toBeLessThan(20_000)
})

test('a source that fails keeps no error from being told, nor the secrets of others', () => {
  const secrets = new Secrets()
  secrets.follow({
    version: () => 1,
    *list() {
      yield 'first-secret'
      throw new URIError('URI malformed')
    },
  })
  secrets.follow({ version: () => 1, list: () => ['second-secret'] })
  expect(secrets.redact('first-secret second-secret')).toBe('*** ***')
})
