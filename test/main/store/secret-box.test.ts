import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from '../../../main/store/secret-key/secret-box.ts'

const key = randomBytes(32)
const box = createSecretBox({ current: key })

test('a secret comes back whole, and never looks the same twice', () => {
  for (const text of ['', 'sk-secret', 'zwei\nZeilen – ü 密']) {
    expect(box.open(box.seal(text))).toBe(text)
  }
  expect(box.seal('same')).not.toBe(box.seal('same'))
  expect(box.seal('sk-secret')).toMatch(/^v1:/)
  expect(box.seal('sk-secret')).not.toContain('sk-secret')
})

test('a secret under another key, damaged or not sealed at all opens as null', () => {
  const sealed = box.seal('sk-secret')
  expect(createSecretBox({ current: randomBytes(32) }).open(sealed)).toBeNull()
  for (const damaged of [
    '',
    'sk-secret',
    'v1:',
    'v1:AAAA',
    sealed.slice(0, -6),
    `v2${sealed.slice(2)}`,
  ]) {
    expect(box.open(damaged)).toBeNull()
  }
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(box.open(`v1:${bytes.toString('base64')}`)).toBeNull()
})
