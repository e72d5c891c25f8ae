import { expect, test } from 'vitest'
import { allOperations } from '../../../../main/manage/operation/invoke.ts'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startManagement } from '../management.ts'

const reads = allOperations.filter(({ http }) => http.method === 'GET')
const acting = reads.filter(({ hasEffect }) => hasEffect)

/** A gateway with a channel whose vendor answers, and all that a GET could change there. */
async function stage() {
  const upstream = await startUpstream(() => ({ body: { data: [{ id: 'model-a' }], choices: [] } }))
  const management = await startManagement()
  const channel = { type: 1, name: 'vendor', key: 'vendor-key', models: 'model-a' }
  const made = await management.owner.send('POST', '/api/channel', {
    mode: 'single',
    channel: { ...channel, base_url: upstream.url },
  })
  const id = made.body.data.ids[0] as number
  const { users, channels, tokens, sessions, settings } = management.gateway.parts
  const state = () =>
    JSON.stringify([
      users.all(),
      channels.all(),
      tokens.all(),
      sessions.ofUser(1),
      settings.current,
    ])
  return { ...management, upstream, state, pathOf: (path: string) => path.replace(':id', `${id}`) }
}

/** As `fetch` of Node sends it: of a browser's headers only those that are given. */
const ask = ({ gateway, owner }: Management, path: string, headers: Record<string, string>) =>
  fetch(gateway.url + path, { headers: { cookie: owner.cookie, ...headers } })

test('a GET without a declared effect changes nothing and asks no vendor', async () => {
  const management = await stage()
  const before = management.state()
  for (const { name, http } of reads.filter(({ hasEffect }) => !hasEffect)) {
    await management.owner.get(management.pathOf(http.path))
    expect(management.state(), name).toBe(before)
    expect(management.upstream.requests, name).toHaveLength(0)
  }
})

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-site', 'x-requested-with': 'Switchyard' },
  // Over plain HTTP on a network, browsers send no Sec-Fetch-Site.
  {},
])('a GET that acts is refused to a browser that sends %j', async (headers) => {
  expect(acting.length).toBeGreaterThan(5)
  const management = await stage()
  const before = management.state()
  for (const { name, http } of acting) {
    const answer = await ask(management, management.pathOf(http.path), headers)
    expect(answer.status, name).toBe(403)
    expect(await answer.json(), name).toMatchObject({ code: 'origin_not_allowed' })
  }
  expect(management.state()).toBe(before)
  expect(management.upstream.requests).toHaveLength(0)
})

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'same-origin' },
  { 'new-api-user': '1' },
  { 'x-requested-with': 'XMLHttpRequest' },
])('a GET that acts is answered to a page of the console that sends %j', async (headers) => {
  const management = await stage()
  const path = management.pathOf('/api/channel/fetch_models/:id')
  expect((await ask(management, path, headers)).status).toBe(200)
  expect((await ask(management, '/api/user/token', headers)).status).toBe(200)
  expect((await ask(management, '/api/user/logout', headers)).status).toBe(200)
})

test('a GET that acts is answered to an access token, as clients of new-api ask for it', async () => {
  const management = await stage()
  const authorization = (await management.owner.send('POST', '/api/user/token')).body.data
  for (const path of ['/api/channel/fetch_models/:id', '/api/channel/test/:id']) {
    const answer = await fetch(management.gateway.url + management.pathOf(path), {
      headers: { authorization },
    })
    expect(answer.status).toBe(200)
  }
})
