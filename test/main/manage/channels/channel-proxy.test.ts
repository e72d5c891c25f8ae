import { expect, onTestFinished, test } from 'vitest'
import { startConnectProxy } from '../../../support/network/proxy-server.ts'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { startManagement, type Visitor, verifyOwner } from '../management.ts'

const PROXY = 'socks5://ada:s3cret-word@127.0.0.1:1080'
const SHOWN = 'socks5://ada:***@127.0.0.1:1080'

const fields = (more: object) => ({
  type: 1,
  name: 'vendor',
  key: 'vendor-key',
  models: 'model-a',
  ...more,
})

async function created(owner: Visitor, more: object): Promise<number> {
  const { body } = await owner.send('POST', '/api/channel', fields(more))
  expect(body).toMatchObject({ success: true })
  return body.data.ids[0]
}

const settingOf = async (owner: Visitor, id: number) =>
  JSON.parse((await owner.get(`/api/channel/${id}`)).body.data.setting ?? '{}')

test('a proxy’s password is kept sealed, never shown, and stays when it comes back hidden', async () => {
  const { gateway, owner } = await startManagement()
  const id = await created(owner, { setting: JSON.stringify({ proxy: PROXY }) })
  expect(await settingOf(owner, id)).toEqual({ proxy: SHOWN })
  expect(JSON.stringify((await owner.get('/api/channel/')).body)).not.toContain('s3cret-word')
  const stored = () => gateway.parts.channels.byId(id)?.setting.proxy
  expect(stored()).toBe(PROXY)
  const change = (setting: object) =>
    owner.send('PUT', '/api/channel', { id, setting: JSON.stringify(setting) })
  expect((await change({ proxy: SHOWN })).status).toBe(200)
  expect(stored()).toBe(PROXY)
  const elsewhere = await change({ proxy: SHOWN.replace('1080', '1081') })
  expect([elsewhere.status, elsewhere.body.field]).toEqual([400, 'setting'])
  expect(JSON.stringify(gateway.parts.state.data.channels)).not.toContain('s3cret-word')
  const { body } = await owner.send('POST', `/api/channel/copy/${id}`)
  expect(gateway.parts.channels.byId(body.data.id)?.setting.proxy).toBe(PROXY)
  await verifyOwner(owner)
  await change({})
  expect(stored()).toBeUndefined()
})

test.each([
  ['gopher://127.0.0.1:70', 'is of a kind that is not supported'],
  ['http://', 'is not an address'],
  ['http://127.0.0.1:1080/path', 'has a path or a query behind its port'],
  ['http://ada:100%@127.0.0.1', 'encodes nothing'],
  [7, 'isn’t text'],
  [SHOWN, 'is hidden'],
])('the proxy %s is refused, and said why', async (proxy, why) => {
  const { owner } = await startManagement()
  const refused = await owner.send(
    'POST',
    '/api/channel',
    fields({ setting: JSON.stringify({ proxy }) }),
  )
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(why)])
})

test.each(['connect_seconds', 'first_byte_seconds', 'idle_seconds', 'total_seconds'])(
  'the time limit %s must be a number of seconds',
  async (name) => {
    const { owner } = await startManagement()
    for (const wrong of [-1, '5', null, 1e9]) {
      const settings = JSON.stringify({ [name]: wrong })
      const { status, body } = await owner.send('POST', '/api/channel', fields({ settings }))
      expect([status, body.message]).toEqual([400, expect.stringContaining(name)])
    }
    await created(owner, { settings: JSON.stringify({ [name]: 0.5 }) })
  },
)

test('models and balance of a channel are asked for through its proxy', async () => {
  const upstream = await startUpstream(() => ({ body: { data: [{ id: 'model-b' }] } }))
  onTestFinished(() => upstream.close())
  const proxy = await startConnectProxy({
    leadTo: Number(new URL(upstream.url).port),
    login: 'ada:word',
  })
  onTestFinished(() => proxy.close())
  const { owner } = await startManagement()
  const setting = JSON.stringify({ proxy: proxy.url.replace('://', '://ada:word@') })
  const place = { base_url: 'http://vendor.test', setting }
  const draft = { type: 1, key: 'vendor-key', ...place }
  const listed = await owner.send('POST', '/api/channel/fetch_models', draft)
  expect(listed.body.data).toEqual(['model-b'])
  const id = await created(owner, place)
  expect((await owner.get(`/api/channel/fetch_models/${id}`)).body.data).toEqual(['model-b'])
  expect(proxy.visits.map(({ target }) => target)).toContain('vendor.test:80')
  const wrong = JSON.stringify({ proxy: proxy.url.replace('://', '://ada:wr0ng@') })
  const refused = await owner.send('POST', '/api/channel/fetch_models', {
    ...draft,
    setting: wrong,
  })
  expect(refused.body.message).toContain('refuses its user and password')
  expect(JSON.stringify(refused.body)).not.toContain('wr0ng')
})
