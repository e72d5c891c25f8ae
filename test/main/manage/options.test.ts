import { expect, test } from 'vitest'
import { startManagement } from './management.ts'

test('options are read as texts and changed one by one', async () => {
  const { owner, gateway } = await startManagement()
  const put = (key: string, value: unknown) => owner.send('PUT', '/api/option/', { key, value })
  expect((await put('RetryTimes', '5')).status).toBe(200)
  expect((await put('LegacyStatus', false)).status).toBe(200)
  expect((await put('ModelRatio', '{"gpt-a":1.5}')).status).toBe(200)
  expect((await put('SystemName', '42')).status).toBe(200)
  const { data } = (await owner.get('/api/option/')).body
  const values = Object.fromEntries(
    data.map(({ key, value }: { key: string; value: string }) => [key, value]),
  )
  expect(values).toMatchObject({
    RetryTimes: '5',
    LegacyStatus: 'false',
    ModelRatio: '{"gpt-a":1.5}',
    SystemName: '42',
    AllowedHosts: '[]',
  })
  expect(gateway.parts.settings.current).toMatchObject({ RetryTimes: 5, SystemName: '42' })
})

test.each([
  ['Unknown', '1', 'key'],
  ['__proto__', '1', 'key'],
  ['RetryTimes', 'many', 'RetryTimes'],
  ['RetryTimes', '-1', 'RetryTimes'],
  ['ModelRatio', '{"gpt-a":"x"}', 'ModelRatio.gpt-a'],
  ['SystemName', 'two\r\nlines', 'SystemName'],
  ['AutomaticRetryStatusCodes', 'all', 'AutomaticRetryStatusCodes'],
])('%s cannot be %j', async (key, value, field) => {
  const { owner, gateway } = await startManagement()
  const before = gateway.parts.settings.current
  const { status, body } = await owner.send('PUT', '/api/option/', { key, value })
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'invalid_params', field })
  expect(gateway.parts.settings.current).toEqual(before)
})

test('the server tells where it is and what it runs on', async () => {
  const { owner, gateway } = await startManagement()
  expect((await owner.get('/api/server')).body.data).toEqual({
    url: gateway.url,
    host: '127.0.0.1',
    port: gateway.port,
    version: gateway.parts.version,
    node: process.versions.node,
    data_folder: gateway.parts.dataFolder,
    started_at: gateway.parts.startedAt,
    ledger_problem: null,
    electron: null,
  })
})

test('third-party tools recognise the gateway by its status', async () => {
  const { visitor } = await startManagement()
  expect((await visitor().get('/api/status')).body.data).toMatchObject({
    setup: true,
    system_name: 'Switchyard',
    quota_per_unit: 500_000,
    self_use_mode_enabled: true,
    turnstile_check: false,
    chats: [],
  })
})
