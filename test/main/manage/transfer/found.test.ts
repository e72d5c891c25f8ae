import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
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

const completion = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'small-mini' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

test('a found key is checked before it is taken: the vendor’s sentence, then the models it lists', async () => {
  const sentence = 'Incorrect API key provided.'
  const vendor = await startUpstream(({ url, headers }) => {
    if (!headers.authorization?.includes('right')) {
      return { status: 401, body: { error: { message: sentence } } }
    }
    return { body: url === '/v1/models' ? { data: [{ id: 'small-mini' }] } : completion }
  })
  onTestFinished(() => vendor.close())
  const { owner, gateway } = await startManagement()
  const take = async (key: string) => {
    writeFileSync(join(home, '.env'), `MINE_API_KEY=${key}\nMINE_BASE_URL=${vendor.url}/v1\n`)
    const { body } = await owner.get('/api/transfer/found')
    const [found] = body.data.found.filter(({ name }: { name: string }) => name === 'mine')
    return (
      await owner.send('POST', '/api/transfer/take', {
        ...{ ids: [found.id], check: true },
      })
    ).body.data
  }
  const refused = await take('sk-wrong-0123456789')
  expect(refused).toMatchObject({
    ids: [],
    checks: [{ name: 'mine', check: { ok: false, status: 401, problem: sentence } }],
  })
  expect(JSON.stringify(refused)).not.toContain('sk-wrong-0123456789')
  expect(gateway.parts.channels.all()).toEqual([])

  const taken = await take('sk-right-0123456789')
  expect(taken).toMatchObject({
    ids: [expect.any(Number)],
    checks: [{ check: { ok: true, tested_model: 'small-mini' } }],
  })
  expect(gateway.parts.channels.all()).toMatchObject([{ name: 'mine', models: ['small-mini'] }])
})

test('a key of Azure asks for the address and the deployments, which no file names', async () => {
  writeFileSync(join(home, '.env'), 'AZURE_API_KEY=0123456789abcdef0123\n')
  const { owner, gateway } = await startManagement()
  const { body } = await owner.get('/api/transfer/found')
  const [azure] = body.data.found.filter(({ name }: { name: string }) => name === 'Azure OpenAI')
  expect(azure).toMatchObject({ base_url: null, needs: ['base_url', 'models'] })
  const take = (fields: object) =>
    owner.send('POST', '/api/transfer/take', { ids: [azure.id], ...fields })
  const models = 'my-deployment'
  expect(await take({ models })).toMatchObject({ status: 400, body: { field: 'base_url' } })
  const base_url = 'https://res.openai.azure.com'
  expect(await take({ base_url })).toMatchObject({ status: 400, body: { field: 'models' } })
  expect((await take({ base_url, models })).body).toMatchObject({ success: true })
  expect(gateway.parts.channels.all()).toMatchObject([
    { type: 3, baseUrl: base_url, models: [models] },
  ])
  const several = await take({ ids: [azure.id, '0123'], base_url })
  expect(several).toMatchObject({ status: 400, body: { field: 'ids' } })
})
