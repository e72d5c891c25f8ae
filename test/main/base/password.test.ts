import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hashPassword, passwordProblem, verifyPassword } from '../../../main/base/password.ts'

test('only the right password is right', async () => {
  const hash = await hashPassword('correct horse')
  expect(await verifyPassword('correct horse', hash)).toBe(true)
  expect(await verifyPassword('correct Horse', hash)).toBe(false)
  expect(await verifyPassword('', hash)).toBe(false)
})

test('two people with one password have different hashes, which carry their cost', async () => {
  const [one, other] = await Promise.all([
    hashPassword('correct horse'),
    hashPassword('correct horse'),
  ])
  expect(one).not.toBe(other)
  expect(one).toMatch(/^scrypt\$15\$8\$1\$/)
})

test('nothing in the product makes hashes cheaper', () => {
  const naming = readdirSync('main', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && readFileSync(`main/${file}`, 'utf8').includes('passwordCost'),
  )
  expect(naming).toEqual(['base/password.ts'])
})

test('a hash that was made at another cost still opens', async () => {
  // 2^14, made with node:crypto: scryptSync('correct horse', 'salt', 32, {N: 16384, r: 8, p: 1}).
  const { scryptSync } = await import('node:crypto')
  const key = scryptSync('correct horse', 'salt', 32, { N: 2 ** 14, r: 8, p: 1 })
  const stored = `scrypt$14$8$1$${Buffer.from('salt').toString('base64')}$${key.toString('base64')}`
  expect(await verifyPassword('correct horse', stored)).toBe(true)
})

test('the same letters typed on another keyboard are the same password', async () => {
  const hash = await hashPassword('caf\u00e9 au lait')
  expect(await verifyPassword('cafe\u0301 au lait', hash)).toBe(true)
})

test('a password of more than 72 bytes is refused, never cut', async () => {
  expect(passwordProblem('x'.repeat(72))).toBeNull()
  expect(passwordProblem('x'.repeat(73))?.message).toMatch(/72/)
  expect(passwordProblem('ü'.repeat(37))?.message).toMatch(/72/)
  expect(passwordProblem('seven77')?.message).toMatch(/at least 8/)
  const hash = await hashPassword('x'.repeat(72))
  expect(await verifyPassword('x'.repeat(73), hash)).toBe(false)
})

test('without a hash nothing is right, not even nothing', async () => {
  expect(await verifyPassword('', null)).toBe(false)
  expect(await verifyPassword('anything', null)).toBe(false)
})
