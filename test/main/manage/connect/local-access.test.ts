import { existsSync, readFileSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Management, startManagement, startUnset } from '../management.ts'
import { toolHome } from './tool-home.ts'

const start = () => startManagement({ env: { HOME: toolHome({}).path, PATH: '' } })

interface Access {
  address: string
  secret: string
}

const pathOf = ({ gateway }: Pick<Management, 'gateway'>) =>
  join(gateway.parts.dataFolder, 'local-access.json')

const accessOf = (stage: Pick<Management, 'gateway'>): Access =>
  JSON.parse(readFileSync(pathOf(stage), 'utf8'))

const carrying = (secret: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${secret}`,
  ...more,
})

test('a program that can read the data folder lists tools, and the file is its user’s alone', async () => {
  const stage = await start()
  const { address, secret } = accessOf(stage)
  expect(address).toBe(stage.gateway.url)
  expect(statSync(pathOf(stage)).mode & 0o777).toBe(0o600)
  const { status, body } = await stage.visitor().get('/api/connect/tools', carrying(secret))
  expect([status, body.data.local]).toEqual([200, true])
})

test('the file goes when the gateway stops, and its secret opens nothing from then on', async () => {
  const one = await start()
  const { secret } = accessOf(one)
  await one.gateway.close()
  expect(existsSync(pathOf(one))).toBe(false)
  expect(one.gateway.parts.localAccess.matches(secret)).toBe(false)
  const { status } = await (await start()).visitor().get('/api/connect/tools', carrying(secret))
  expect(status).toBe(401)
})

const refused: [string, (secret: string, address: string) => Record<string, string>][] = [
  [
    'a wrong secret',
    (secret) => carrying(secret.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))),
  ],
  ['a part of the secret', (secret) => carrying(secret.slice(0, -1))],
  ['only its prefix', () => carrying('local-')],
  ['a forwarded request', (secret) => carrying(secret, { 'x-forwarded-for': '127.0.0.1' })],
  ['a request through a proxy', (secret) => carrying(secret, { via: '1.1 proxy' })],
  ['a web page', (secret) => carrying(secret, { origin: 'http://127.0.0.1:3000' })],
  ['a page of the gateway’s own', (secret, address) => carrying(secret, { origin: address })],
]

test.each(refused)('%s opens nothing', async (_name, headersOf) => {
  const stage = await start()
  const { secret, address } = accessOf(stage)
  const headers = headersOf(secret, address)
  const { status } = await stage.visitor().get('/api/connect/tools', headers)
  expect([401, 403]).toContain(status)
})

test('it counts beside a proxy on this machine that is trusted', async () => {
  const stage = await start()
  stage.gateway.parts.settings.update({ TrustedProxies: ['127.0.0.1'] })
  const { secret } = accessOf(stage)
  const visitor = stage.visitor()
  const { status, body } = await visitor.get('/api/connect/tools', carrying(secret))
  expect([status, body.data.local]).toEqual([200, true])
  const proxied = carrying(secret, { 'x-forwarded-for': '203.0.113.4' })
  expect((await visitor.get('/api/connect/tools', proxied)).status).toBe(401)
})

const ofThisMachine = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test.skipIf(!ofThisMachine)('another address than loopback opens nothing', async () => {
  const stage = await startUnset({ host: '0.0.0.0' })
  stage.gateway.parts.users.create({ username: 'ada', role: 100 })
  stage.gateway.parts.settings.update({ AllowedHosts: [String(ofThisMachine)] })
  const { address, secret } = accessOf(stage)
  expect(address).toBe(`http://127.0.0.1:${stage.gateway.port}`)
  const url = `http://${ofThisMachine}:${stage.gateway.port}/api/connect/tools`
  const answer = await fetch(url, { headers: carrying(secret) })
  expect([answer.status, await answer.text()]).toEqual([
    401,
    expect.stringContaining('from another machine'),
  ])
})

test('it opens the operations of Connect alone', async () => {
  const stage = await start()
  const { secret } = accessOf(stage)
  const paths = ['/api/channel/', '/api/token/', '/api/user/self', '/api/option/', '/api/backup']
  for (const path of paths) {
    const { status, body } = await stage.visitor().get(path, carrying(secret))
    expect([path, status, body.code]).toEqual([path, 403, 'forbidden'])
  }
  const events = await fetch(`${stage.gateway.url}/api/events`, { headers: carrying(secret) })
  expect(events.status).toBe(403)
  const model = await fetch(`${stage.gateway.url}/v1/models`, { headers: carrying(secret) })
  expect(model.status).toBe(401)
})

test('an owner without a password connects by it too, and nothing else is open', async () => {
  const stage = await start()
  const { parts } = stage.gateway
  const [owner] = parts.users.all()
  parts.users.update(owner?.id ?? 0, { passwordHash: null })
  const { secret } = accessOf(stage)
  const { status } = await stage.visitor().get('/api/connect/tools', carrying(secret))
  expect(status).toBe(200)
  expect((await stage.visitor().get('/api/user/self', carrying(secret))).status).toBe(403)
})

test('before the first run it says that there is no owner', async () => {
  const stage = await startUnset()
  const { secret } = accessOf(stage)
  const { status, body } = await stage.visitor().get('/api/connect/tools', carrying(secret))
  expect([status, body.message]).toEqual([401, expect.stringContaining('no owner yet')])
})
