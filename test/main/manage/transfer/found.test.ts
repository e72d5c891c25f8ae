import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startManagement } from '../management.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  vi.stubEnv('HOME', home)
  vi.stubEnv('USERPROFILE', home)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

test('keys on this machine are shown masked, taken only when chosen, and become channels', async () => {
  expect(homedir()).toBe(home)
  const file = join(home, '.env')
  writeFileSync(file, 'DEEPSEEK_API_KEY=sk-test-deepseek-0001\nMISTRAL_API_KEY=test-mistral-0002\n')
  const { owner, gateway } = await startManagement()
  const answer = await owner.get('/api/transfer/found')
  const found = answer.body.data.found.filter(({ where }: { where: string }) =>
    where.includes(file),
  )
  expect(found).toMatchObject([
    {
      where: `.env: ${file}`,
      vendor_type: 43,
      name: 'DeepSeek',
      base_url: 'https://api.deepseek.com/v1',
    },
    { vendor_type: 42, name: 'Mistral' },
  ])
  expect(JSON.stringify(answer.body)).not.toMatch(/test-deepseek|test-mistral/)
  expect(gateway.parts.channels.all()).toEqual([])

  const taken = await owner.send('POST', '/api/transfer/take', { ids: [found[0].id] })
  expect(taken.body.message).toBe('')
  expect(taken.body).toMatchObject({ success: true, data: { ids: [expect.any(Number)] } })
  expect(gateway.parts.channels.all()).toMatchObject([
    { name: 'DeepSeek', type: 43, key: 'sk-test-deepseek-0001', status: 1 },
  ])
  expect(gateway.parts.channels.all()[0]?.models).toContain('deepseek-v4-pro')
})

test('a token of our own in a tool’s file is no key', async () => {
  const { owner, gateway } = await startManagement()
  const text = `OPENAI_API_KEY=sk-own-token\nOPENAI_BASE_URL=${gateway.url}/v1\n`
  writeFileSync(join(home, '.env'), text)
  const { body } = await owner.get('/api/transfer/found')
  expect(body.data.found.map(({ where }: { where: string }) => where).join()).not.toContain(home)
})

test('a key that is gone makes no channel, and a request through a proxy finds none', async () => {
  const { owner, gateway } = await startManagement()
  const gone = await owner.send('POST', '/api/transfer/take', { ids: ['0123'] })
  expect(gone).toMatchObject({ status: 404, body: { field: 'ids' } })
  const proxied = { 'x-forwarded-for': '203.0.113.9' }
  const far = await owner.get('/api/transfer/found', proxied)
  expect(far).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const take = await owner.send('POST', '/api/transfer/take', { ids: ['0123'] }, proxied)
  expect(take.status).toBe(403)
  expect(gateway.parts.channels.all()).toEqual([])
})
