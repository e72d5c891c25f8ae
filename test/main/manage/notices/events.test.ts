import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGatewayEvents } from '../../../../main/manage/server/gateway-events.ts'
import { echoChannel, startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'

const messages = [{ role: 'user', content: 'hi' }]

test('the console hears of a new call and of a changed option, and of nothing after it left', async () => {
  const { owner, gateway } = await startManagement()
  await owner.send('POST', '/api/channel/', echoChannel())
  const controller = new AbortController()
  const response = await fetch(`${gateway.url}/api/events`, {
    headers: { cookie: owner.cookie },
    signal: controller.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  let heard = ''
  const reading = (async () => {
    for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString()
  })().catch(() => {})

  await owner.send('POST', '/pg/chat/completions', { model: 'echo', messages })
  await expect.poll(() => heard).toContain('event: calls\ndata: {}\n\n')
  await owner.send('PUT', '/api/option/', { key: 'SystemName', value: 'Mine' })
  await expect.poll(() => heard).toContain('event: server\n')

  controller.abort()
  await reading
})

test('no event reaches a browser that has signed out', async () => {
  const { owner, gateway } = await startManagement()
  const response = await fetch(`${gateway.url}/api/events`, { headers: { cookie: owner.cookie } })
  await owner.send('POST', '/api/user/logout')
  gateway.parts.events.emit('calls')
  expect(await response.text()).not.toContain('event: calls')
})

test('a browser that does not read its events is cut off before they pile up', async () => {
  const { owner, gateway } = await startManagement()
  const { events } = gateway.parts
  const listening = get(`${gateway.url}/api/events`, { headers: { cookie: owner.cookie } })
  const [response] = (await once(listening, 'response')) as [IncomingMessage]
  onTestFinished(() => void listening.destroy())
  const closed = vi.fn()
  response.on('error', closed)
  // No event of the start is still to come.
  await sleep(600)
  let told = 0
  const end = events.on('server', () => told++)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    for (let count = 0; count < 4_000; count++) {
      events.emit('server')
      vi.advanceTimersByTime(300)
    }
  } finally {
    vi.useRealTimers()
    end()
  }
  expect(told).toBeGreaterThanOrEqual(4_000)
  response.resume()
  await expect.poll(() => closed.mock.calls.length, { timeout: 5_000 }).toBe(1)
})

test('a hundred calls at once are told a few times, and the last one is not forgotten', () => {
  vi.useFakeTimers()
  try {
    const events = createGatewayEvents()
    const listener = vi.fn()
    const end = events.on('calls', listener)
    for (let count = 0; count < 100; count++) events.emit('calls')
    expect(listener).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1000)
    expect(listener).toHaveBeenCalledTimes(2)
    events.emit('server')
    end()
    events.emit('calls')
    vi.advanceTimersByTime(1000)
    expect(listener).toHaveBeenCalledTimes(2)
  } finally {
    vi.useRealTimers()
  }
})

test('a user hears of the own calls, and not when others make some', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const bob = await signInAs(management, { username: 'bob' })
  const admin = await signInAs(management, { username: 'eve', role: 10 })
  const heard = { bob: '', eve: '' }
  const controller = new AbortController()
  const listen = async (name: 'bob' | 'eve', { cookie }: { cookie: string }) => {
    const init = { headers: { cookie }, signal: controller.signal }
    const { body } = await fetch(`${gateway.url}/api/events`, init)
    void (async () => {
      for await (const chunk of body ?? []) heard[name] += Buffer.from(chunk).toString()
    })().catch(() => {})
  }
  await listen('bob', bob)
  await listen('eve', admin)
  await owner.send('POST', '/api/channel/', echoChannel())
  await owner.send('POST', '/pg/chat/completions', { model: 'echo', messages })
  await owner.send('POST', '/pg/chat/completions', { model: 'no such model', messages })
  await expect.poll(() => heard.eve).toContain('event: calls')
  await bob.send('PUT', '/api/user/self', { display_name: 'Bob' })
  expect(heard.bob).not.toContain('event: calls')
  await bob.send('POST', '/pg/chat/completions', { model: 'no such model', messages })
  await expect.poll(() => heard.bob).toContain('event: calls')
  controller.abort()
})

test('within a pause an event is kept for all whom it is about', () => {
  vi.useFakeTimers()
  try {
    const events = createGatewayEvents()
    const told: unknown[] = []
    events.on('calls', (users) => told.push(users && [...users]))
    for (const ids of [[1], [2], [3, 2]]) events.emit('calls', ids)
    vi.advanceTimersByTime(1000)
    for (const ids of [[1], [2], undefined, [3]]) events.emit('calls', ids)
    vi.advanceTimersByTime(1000)
    expect(told).toEqual([[1], [2, 3], [1], null])
  } finally {
    vi.useRealTimers()
  }
})
