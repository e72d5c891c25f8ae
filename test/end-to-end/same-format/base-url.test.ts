import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { callModel } from '../../support/clients/model-call.ts'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { setUpOwner } from '../../support/gateway/owner-client.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'

const echo = { type: 1, name: 'loop', key: 'k', models: 'chat-model' }

test('the gateway’s own address is no base URL, by whatever name', async () => {
  const gateway = await runGateway()
  const owner = await setUpOwner(gateway.url)
  const { port } = new URL(gateway.url)
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
  const hosts = ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', '0.0.0.0', '127.1', '2130706433']
  for (const host of [...hosts, 'x.localhost', ...others.map(({ address }) => address)]) {
    for (const base_url of [`http://${host}:${port}`, `http://${host}:${port}/v1/`]) {
      const answer = await owner.try('POST', '/api/channel/', {
        mode: 'single',
        channel: { ...echo, base_url },
      })
      expect([base_url, answer.status, answer.field]).toEqual([base_url, 400, 'base_url'])
      expect(answer.message).toMatch(/own|itself/)
    }
  }
  expect(await owner.ask('GET', '/api/channel/')).toMatchObject({ total: 0 })
})

describe('a call through a wrong base URL', () => {
  async function answerOf(
    baseUrl: string,
  ): Promise<{ status: number; message: string; attempts: string }> {
    const gateway = await runGateway()
    const owner = await setUpOwner(gateway.url)
    await owner.addChannel({ ...echo, base_url: baseUrl })
    const call = callModel(gateway.url, await owner.addToken(), {})
    await call.over
    const { items } = await owner.ask<{ items: { other: string }[] }>('GET', '/api/log/')
    expect(items).toMatchObject([{ request_id: call.id, status: call.status, type: 5 }])
    const { route } = JSON.parse(items[0]?.other ?? '').admin_info
    const attempts = JSON.stringify(route.attempts)
    return { status: call.status, message: JSON.parse(call.text).error.message, attempts }
  }

  test('where nobody listens says so', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const { status, message, attempts } = await answerOf(`http://127.0.0.1:${port}`)
    expect(status).toBe(502)
    expect(message).not.toContain(String(port))
    expect(message).toContain('nothing listens')
    expect(attempts).toContain(`http://127.0.0.1:${port}`)
  })

  test('with a name that nobody knows says so', async () => {
    const { status, message, attempts } = await answerOf('http://no-such-host.invalid')
    expect(status).toBe(502)
    expect(message).not.toContain('no-such-host')
    expect(message).toMatch(/not known|could not be looked up/)
    expect(attempts).toContain('no-such-host.invalid')
  })

  test('with TLS where there is none says so', async () => {
    const upstream = await startUpstream()
    onTestFinished(() => upstream.close())
    const { status, message } = await answerOf(upstream.url.replace('http:', 'https:'))
    expect(status).toBe(502)
    expect(message).toMatch(/TLS|http/)
  })

  test('that is a web site says that a page came, and where to look', async () => {
    const page = '<!doctype html><html><title>Welcome</title><h1>Not an API</h1></html>'
    const upstream = await startUpstream(() => ({
      body: page,
      headers: { 'content-type': 'text/html' },
    }))
    onTestFinished(() => upstream.close())
    const { status, message } = await answerOf(upstream.url)
    expect(status).toBe(502)
    expect(message).toMatch(/web page.*base URL/)
  })

  test('with a wrong path says what the upstream said', async () => {
    const upstream = await startUpstream(() => ({ status: 404, body: 'no such route' }))
    onTestFinished(() => upstream.close())
    const { status, message } = await answerOf(`${upstream.url}/wrong`)
    expect(status).toBe(404)
    expect(message).toContain('no such route')
    expect(upstream.last().url).toMatch(/^\/wrong\//)
  })
})
