import { expect, test } from 'vitest'
import { roughTokens } from '../../../../main/relay/usage/rough-tokens.ts'

const MEBIBYTE = 1024 * 1024
/** Bytes that look like a file's. */
const file = (size: number) =>
  Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * at * 31) % 251)).toString('base64')
const words = (size: number) => 'The quick brown fox jumps over the lazy dog. '.repeat(size / 45)
const message = (content: unknown) => ({ role: 'user', content })
const picture = (data: string) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
})

/** In pieces, as they come from a connection. */
function pieces(messages: object[]): Buffer[] {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', messages }))
  return Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  )
}

test('a picture of megabytes weighs as much as a picture, so that no budget refuses it for its length', () => {
  const tokens = roughTokens(pieces([message([picture(file(3 * MEBIBYTE))])]))
  expect(tokens).toBeGreaterThan(1500)
  expect(tokens).toBeLessThan(4000)
})

test('each of many pictures counts', () => {
  const one = file(100_000)
  const tokens = roughTokens(pieces(Array.from({ length: 20 }, () => message([picture(one)]))))
  expect(tokens).toBeGreaterThan(20 * 1500)
  expect(tokens).toBeLessThan(20 * 3000)
})

test('a small picture counts as one too, and not as many words', () => {
  const icon = file(24_000)
  const tokens = roughTokens(pieces(Array.from({ length: 20 }, () => message([picture(icon)]))))
  expect(tokens).toBeGreaterThan(20 * 1500)
  expect(tokens).toBeLessThan(20 * 3000)
})

test('a PDF weighs by its length', () => {
  const pdf = `JVBERi0x${file(MEBIBYTE)}`
  const source = { type: 'base64', media_type: 'application/pdf', data: pdf }
  const tokens = roughTokens(pieces([message([{ type: 'document', source }])]))
  expect(tokens).toBeGreaterThan(40_000)
  expect(tokens).toBeLessThan(80_000)
})

test('words are counted all, also where one of them is as long as a file’s line', () => {
  const text = `${words(MEBIBYTE)} ${file(300)} ${words(MEBIBYTE)}`
  const tokens = roughTokens(pieces([message(text)]))
  expect(tokens).toBeGreaterThan(2 * MEBIBYTE * 0.24)
  expect(tokens).toBeLessThan(2 * MEBIBYTE * 0.3)
})
