import { expect, test, vi } from 'vitest'
import { createGatewayEvents } from '../../../../main/manage/server/gateway-events.ts'
import { echoChannel, startManagement } from '../management.ts'

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
