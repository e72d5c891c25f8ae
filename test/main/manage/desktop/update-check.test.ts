import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { UpdateCheck } from '../../../../main/manage/desktop/update-check.ts'
import { version } from '../../../../main/version.ts'
import { startManagement } from '../management.ts'
import { createFakeDesktop } from './fake-desktop.ts'

const HOUR = 3_600_000
const newer = { version: '99.1.0', url: 'https://example.com/download', notes: 'Faster.' }

interface Feed {
  url: string
  asked: { path: string; headers: Record<string, unknown> }[]
  answer(listener: RequestListener): void
}

async function startFeed(first: RequestListener): Promise<Feed> {
  let listener = first
  const asked: Feed['asked'] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    listener(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answer(next) {
      listener = next
    },
  }
}

const json =
  (value: unknown): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }

async function startWith(first: RequestListener) {
  const feed = await startFeed(first)
  const { owner, gateway } = await startManagement({ desktop: createFakeDesktop() })
  const setFeed = (value: string) =>
    owner.send('PUT', '/api/option', { key: 'DesktopUpdateFeed', value })
  await setFeed(`${feed.url}/feed.json`)
  const check = async () => (await owner.send('POST', '/api/desktop/update_check', {})).body
  const update = async () => (await check()).data.update
  return { feed, owner, gateway, setFeed, check, update }
}

describe('an update feed', () => {
  test('that names a newer version is told, with its link and notes, and nothing else is asked', async () => {
    const { feed, update } = await startWith(json(newer))
    expect(await update()).toMatchObject({ failure: null, newer, checked_at: expect.any(Number) })
    expect(feed.asked.map(({ path }) => path)).toEqual(['/feed.json'])
    expect(Object.keys(feed.asked[0]?.headers ?? {}).sort()).toEqual(
      ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'].filter(
        (name) => name in (feed.asked[0]?.headers ?? {}),
      ),
    )
  })

  test.each([
    ['an older one', '0.0.9'],
    ['the same', version],
    ['the same with a build', `${version}+build.5`],
    ['a prerelease of a newer one', '99.0.0-beta.1'],
  ])('that names %s is no news', async (_what, offered) => {
    const { update } = await startWith(json({ ...newer, version: offered }))
    expect(await update()).toMatchObject({ failure: null, newer: null })
  })

  test.each<[string, RequestListener, RegExp]>([
    ['no JSON', json('<html>'), /did not answer with JSON/],
    ['no version', json({ url: newer.url }), /"version"/],
    ['a word for a version', json({ ...newer, version: 'latest' }), /such as 1\.2\.3/],
    ['a link without https', json({ ...newer, url: 'http://example.com' }), /https:\/\//],
    ['a link that runs a program', json({ ...newer, url: 'file:///bin/sh' }), /https:\/\//],
    ['a link that hides its host', json({ ...newer, url: 'https://a.com@b.com' }), /https:\/\//],
    ['too much', json({ ...newer, notes: 'x'.repeat(70_000) }), /larger than 64 KiB/],
    [
      'too much, in pieces',
      (_request, response) => {
        response.write('{"notes":"')
        for (let piece = 0; piece < 20; piece++) response.write('x'.repeat(10_000))
        response.end('"}')
      },
      /larger than 64 KiB/,
    ],
    [
      'an error',
      (_request, response) => {
        response.statusCode = 503
        response.end('{}')
      },
      /answered with status 503/,
    ],
    [
      'a redirect to plain http elsewhere',
      (_request, response) => {
        response.writeHead(302, { location: 'http://example.com/feed.json' }).end()
      },
      /redirects to http:\/\/example\.com, which is not https/,
    ],
    [
      'a redirect to itself',
      (_request, response) => {
        response.writeHead(302, { location: '/feed.json' }).end()
      },
      /redirects more than 3 times/,
    ],
    ['a broken connection', (request) => request.socket.destroy(), /cannot be read/],
  ])('that answers with %s is told as a failure, quietly', async (_what, listener, sentence) => {
    const { check } = await startWith(listener)
    const { success, data } = await check()
    expect(success).toBe(true)
    expect(data.update.failure).toMatch(sentence)
    expect(data.update.newer).toBeNull()
    expect(data.update.checked_at).toBeGreaterThan(0)
  })

  test('is followed where it redirects on this machine', async () => {
    const { update } = await startWith((request, response) => {
      if (request.url === '/feed.json') response.writeHead(302, { location: '/new.json' }).end()
      else json(newer)(request, response)
    })
    expect(await update()).toMatchObject({ failure: null, newer })
  })

  test('is followed through three redirects, each from the address before it, and no further', async () => {
    const { feed, setFeed, update } = await startWith((request, response) => {
      const left = Number(/\d/.exec(request.url ?? '')?.[0])
      if (left > 0) response.writeHead(302, { location: `${left - 1}.json` }).end()
      else json(newer)(request, response)
    })
    await setFeed(`${feed.url}/folder/3.json`)
    expect(await update()).toMatchObject({ failure: null, newer })
    const asked = [3, 2, 1, 0].map((left) => `/folder/${left}.json`)
    expect(feed.asked.map(({ path }) => path)).toEqual(asked)
    feed.asked.length = 0
    await setFeed(`${feed.url}/folder/4.json`)
    expect((await update()).failure).toMatch(/redirects more than 3 times/)
    expect(feed.asked).toHaveLength(4)
  })

  test('that redirects without naming an address is told as such', async () => {
    const { update } = await startWith((_request, response) => {
      response.writeHead(302, { location: 'http://' }).end()
    })
    expect((await update()).failure).toMatch(/redirects without naming an address/)
  })

  test('that says nothing is given up after ten seconds', async () => {
    const limit = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    const { feed, update } = await startWith(() => {})
    const given = update()
    await expect.poll(() => feed.asked).toHaveLength(1)
    expect(timeout.mock.calls).toEqual([[10_000]])
    limit.abort(new DOMException('', 'TimeoutError'))
    expect((await given).failure).toMatch(/did not answer within 10 seconds/)
  })

  test('that fails later does not take back what was found, but another feed does', async () => {
    const { feed, setFeed, update, owner } = await startWith(json(newer))
    await update()
    feed.answer(json('no'))
    expect(await update()).toMatchObject({ failure: expect.any(String), newer })
    await setFeed(`${feed.url}/other.json`)
    const { body } = await owner.get('/api/desktop')
    expect(body.data.update).toMatchObject({ newer: null, failure: null, checked_at: null })
  })

  test('is looked at when the desktop starts, when it is entered, and once a day', async () => {
    const { feed, gateway, setFeed } = await startWith(json(newer))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const checks = new UpdateCheck(gateway.parts)
    onTestFinished(checks.schedule())
    const times = () => expect.poll(() => feed.asked.length, { interval: 20 })
    await times().toBe(1)
    await expect.poll(() => checks.state.newer?.version).toBe('99.1.0')
    vi.advanceTimersByTime(23 * HOUR)
    expect(feed.asked).toHaveLength(1)
    vi.advanceTimersByTime(2 * HOUR)
    await times().toBe(2)
    // A clock that was set back doesn't put it off.
    vi.setSystemTime(Date.now() - 7 * 24 * HOUR)
    vi.advanceTimersByTime(HOUR)
    await times().toBe(3)
    await setFeed(`${feed.url}/other.json`)
    vi.advanceTimersByTime(HOUR)
    await expect.poll(() => feed.asked.map(({ path }) => path)).toContain('/other.json')
  })

  test.each([
    'http://example.com/feed.json',
    'file:///tmp/feed.json',
    'https://user:secret@example.com/feed.json',
    'http://127.0.0.1.example.com/feed.json',
    'feed.json',
  ])('cannot be at %s', async (address) => {
    const { owner } = await startManagement()
    const change = { key: 'DesktopUpdateFeed', value: address }
    const { status, body } = await owner.send('PUT', '/api/option', change)
    expect(status).toBe(400)
    expect(body.message).toMatch(/https:\/\//)
  })

  test('is off until an address is entered', async () => {
    const { owner } = await startManagement({ desktop: createFakeDesktop() })
    const { status, body } = await owner.send('POST', '/api/desktop/update_check', {})
    expect(status).toBe(400)
    expect(body.message).toMatch(/no update feed/)
  })
})
