import { expect, test } from 'vitest'
import { startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'

const fresh = (fields: object) => ({
  mode: 'single',
  channel: {
    ...{ type: 1, name: 'Vendor', key: 'sk-vendor-1', models: 'gpt-a' },
    ...{ base_url: 'https://vendor.example', ...fields },
  },
})
const second = (url: unknown) => ({ settings: JSON.stringify({ anthropic_base_url: url }) })

test('the second address of a channel is read as the first when it is saved, tried and previewed', async () => {
  const { owner, gateway } = await startManagement()
  const { id } = gateway.parts.channels.create({
    ...{ type: 1, name: 'Vendor', key: 'sk-vendor-1', models: ['gpt-a'] },
    baseUrl: 'https://vendor.example',
  })
  const own = new URL(gateway.url)
  for (const url of [
    'ftp://vendor.example',
    'not a url',
    'https://me:secret@vendor.example',
    'https://{model}.example',
    'http://169.254.169.254',
    'http://metadata.google.internal/x',
    gateway.url,
    `http://localhost:${own.port}/v1`,
    7,
  ]) {
    const refused = [
      await owner.send('POST', '/api/channel', fresh(second(url))),
      await owner.send('PUT', '/api/channel', { id, ...second(url) }),
      await owner.send('POST', '/api/channel/fetch_models', {
        ...{ type: 1, key: 'sk-vendor-1', base_url: 'https://vendor.example' },
        ...second(url),
      }),
      await owner.get(
        `/api/channel/preview_url?type=1&base_url=https://vendor.example&settings=${encodeURIComponent(second(url).settings)}`,
      ),
    ]
    for (const [place, { status, body }] of refused.entries()) {
      expect([url, place, status, body.field]).toEqual([url, place, 400, 'settings'])
      expect(body.message).toMatch(/^anthropic_base_url: /)
    }
  }
  expect(gateway.parts.channels.all().every(({ settings }) => !settings.anthropic_base_url)).toBe(
    true,
  )
})

test('is kept as the first is, and cleared by an empty one', async () => {
  const { owner, gateway } = await startManagement()
  const made = await owner.send('POST', '/api/channel', fresh(second(' claude.example/x/ ')))
  const [id] = made.body.data.ids
  const saved = () => gateway.parts.channels.byId(id)?.settings.anthropic_base_url
  expect(saved()).toBe('https://claude.example/x')
  expect((await owner.send('PUT', '/api/channel', { id, key: 'sk-2', ...second('') })).status).toBe(
    200,
  )
  expect(saved()).toBe('')
})

test('a key follows nobody to a second address, whatever way that is written', async () => {
  const management = await startManagement()
  const admin = await signInAs(management, { username: 'bob', role: 10 })
  const { id } = management.gateway.parts.channels.create({
    ...{ type: 1, name: 'Vendor', key: 'sk-vendor-1', models: ['gpt-a'] },
    baseUrl: 'https://vendor.example',
    settings: { anthropic_base_url: 'https://vendor.example/claude' },
  })
  for (const url of [
    'thief.example',
    ' https://thief.example/ ',
    'https://vendor.example/bob',
    '',
  ]) {
    const { status, body } = await admin.send('PUT', '/api/channel', { id, ...second(url) })
    expect([url, status, body.field]).toEqual([url, 400, 'key'])
  }
  const same = second(' https://vendor.example/claude/ ')
  expect((await admin.send('PUT', '/api/channel', { id, ...same })).status).toBe(200)
})

test('a version that Gemini does not have is refused when it is saved', async () => {
  const { owner, gateway } = await startManagement()
  const gemini = { type: 24, models: 'gemini-3-pro', base_url: '' }
  const { ids } = (await owner.send('POST', '/api/channel', fresh({ ...gemini, other: 'v1' }))).body
    .data
  for (const other of ['v1/../..', '../v1', 'v1beta/tunedModels', 'latest', 'v1?key=x', 'v1#']) {
    for (const [method, body] of [
      ['POST', fresh({ ...gemini, other })],
      ['PUT', { id: ids[0], other }],
    ] as const) {
      const refused = await owner.send(method, '/api/channel', body)
      expect([other, refused.status, refused.body.field]).toEqual([other, 400, 'other'])
      expect(refused.body.message).toContain("isn't a version of the Gemini API")
    }
  }
  const openai = await owner.send('POST', '/api/channel', fresh({ other: 'latest' }))
  expect(openai.status).toBe(200)
  const turned = { id: openai.body.data.ids[0], type: 24, key: 'sk-2', base_url: '' }
  expect((await owner.send('PUT', '/api/channel', turned)).body.field).toBe('other')
  expect(gateway.parts.channels.byId(ids[0])?.other).toBe('v1')
  for (const other of ['', ' /v1beta/ ', 'v1alpha']) {
    expect((await owner.send('PUT', '/api/channel', { id: ids[0], other })).status).toBe(200)
  }
})
