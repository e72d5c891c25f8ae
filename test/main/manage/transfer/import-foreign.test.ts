import { expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { samples } from '../../transfer/from/samples.ts'
import { startManagement, verifyOwner } from '../management.ts'

test.each(Object.entries(samples))('%s is previewed and applied', async (_name, { id, text }) => {
  const { owner, gateway } = await startManagement()
  await verifyOwner(owner)
  const { body } = await owner.send('POST', '/api/transfer/preview', { text })
  expect(body.message).toBe('')
  expect(body.data.from).toBe(id)
  const channels = body.data.items.filter(({ part }: { part: string }) => part === 'channels')
  expect(channels.length).toBeGreaterThan(0)
  expect(JSON.stringify(body)).not.toMatch(/sk-test|AIza-test/)
  const applied = await owner.send('POST', '/api/transfer/apply', {
    preview_id: body.data.preview_id,
    items: body.data.items.map((item: { id: string }) => item.id),
  })
  expect(applied.body.message).toBe('')
  expect(gateway.parts.channels.all()).toHaveLength(channels.length)
})

test('a running one-api is previewed by address and access token', async () => {
  const foreign = await startUpstream(({ url }) => {
    const rows = url.startsWith('/api/channel/?p=0')
      ? [{ id: 1, type: 36, name: 'ds', status: 1, models: 'deepseek-chat', group: 'default' }]
      : []
    return { body: { success: true, message: '', data: rows } }
  })
  onTestFinished(() => foreign.close())
  const { owner } = await startManagement()
  const source = { from: 'one-api', address: foreign.url, access_token: 'test-token' }
  const { body } = await owner.send('POST', '/api/transfer/preview', source)
  expect(body.message).toBe('')
  expect(body.data).toMatchObject({
    from: 'one-api',
    items: [{ part: 'channels', name: 'ds', state: 'new' }],
  })
  const without = await owner.send('POST', '/api/transfer/preview', { ...source, from: undefined })
  expect(without).toMatchObject({ status: 400, body: { field: 'from' } })
  const both = await owner.send('POST', '/api/transfer/preview', { ...source, text: 'x' })
  expect(both).toMatchObject({ status: 400, body: { field: 'text' } })
})

test('a group of mine takes the ratio of new-api’s, and keeps what new-api doesn’t say', async () => {
  const foreign = await startUpstream(({ url }) => {
    const options = [{ key: 'GroupRatio', value: '{"default":1,"vip":0.8}' }]
    const data = url.startsWith('/api/option/') ? options : []
    return { body: { success: true, message: '', data } }
  })
  onTestFinished(() => foreign.close())
  const { owner, gateway } = await startManagement()
  await verifyOwner(owner)
  const { settings } = gateway.parts
  settings.update({
    ...{ GroupRatio: { default: 1, vip: 1 }, UserUsableGroups: { default: 'All', vip: 'Fast' } },
    ...{ TopupGroupRatio: { vip: 0.9 }, AutoGroups: ['vip', 'default'] },
  })
  const { UserUsableGroups, TopupGroupRatio, AutoGroups } = settings.current
  const source = { from: 'new-api', address: foreign.url, access_token: 'test-token' }
  const { body } = await owner.send('POST', '/api/transfer/preview', source)
  expect(body.data.items).toMatchObject([
    { name: 'default', state: 'same', changes: [] },
    { name: 'vip', state: 'changed', changes: [{ field: 'ratio', from: '1', to: '0.8' }] },
  ])
  const { preview_id } = body.data
  await owner.send('POST', '/api/transfer/apply', { preview_id, items: ['0', '1'] })
  expect(settings.current).toMatchObject({
    GroupRatio: { default: 1, vip: 0.8 },
    ...{ UserUsableGroups, TopupGroupRatio, AutoGroups },
  })
})
