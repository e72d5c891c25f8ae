import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { trustAlso } from '../../../main/upstream/tls/trust.ts'
import { mayBeAsked } from '../../../main/upstream/user-fetch.ts'
import { makeAuthority } from '../../support/network/own-authority.ts'
import { startTlsFront } from '../../support/network/tls-front.ts'
import type { Reply } from '../../support/upstreams/scripted-upstream.ts'
import { asked, failureOf, fetcher, startServer } from './fetch-stage.ts'

describe('what is asked', () => {
  test('a file comes with its type, and no key, cookie or referrer goes out', async () => {
    const server = await startServer(() => ({ body: 'hello', headers: { 'content-type': 'a/b' } }))
    const { contentType, bytes } = await fetcher().fetch(asked(`${server.url}/a%20b?c=d#e`))
    expect([contentType, bytes.toString()]).toEqual(['a/b', 'hello'])
    const { url, headers, method } = server.last()
    expect([method, url, headers.host]).toEqual(['GET', '/a%20b?c=d', new URL(server.url).host])
    expect(Object.keys(headers).sort()).toEqual(
      ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'].sort(),
    )
  })

  test('a body is posted with its headers', async () => {
    const server = await startServer(() => ({ status: 204 }))
    const request = { body: Buffer.from('{}'), headers: { 'x-gotify-key': 'k' }, sizeLimit: 0 }
    await fetcher().fetch(asked(`${server.url}/message`, request))
    const { method, headers, body } = server.last()
    expect([method, headers['x-gotify-key'], body.toString()]).toEqual(['POST', 'k', '{}'])
  })
})

describe('what is refused before a connection is made', () => {
  const strict = fetcher({ mayAsk: mayBeAsked, ports: () => [80, 443] })
  /** `leads` names the host after which the sentence comes. */
  test.each([
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://１２７.０.０.１/', '127.0.0.1'],
    ['http://0/', '0.0.0.0'],
    ['http://10.1/', '10.0.0.1'],
    ['http://0xa9fea9fe/', '169.254.169.254'],
    ['http://[::]/', '[::]'],
    ['http://[::1]/', '[::1]'],
    ['http://[0:0:0:0:0:0:0:1]/', '[::1]'],
    ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
    ['http://[::ffff:a9fe:a9fe]/', '[::ffff:a9fe:a9fe]'],
    ['http://[64:ff9b::10.0.0.1]/', '[64:ff9b::a00:1]'],
    ['http://[2002:7f00:1::]/', '[2002:7f00:1::]'],
    ['http://[fe80::1]/', '[fe80::1]'],
    ['http://[fd00:ec2::254]/', '[fd00:ec2::254]'],
    ['https://localhost/', 'localhost'],
    ['https://anything.invalid/', 'anything.invalid'],
  ])('%s', async (url, host) => {
    const why = await failureOf(strict.fetch(asked(url)))
    expect(why).toBe(`${host} does not lead to a public address`)
  })

  test.each([
    ['ftp://example.org/', 'it is not an http:// or https:// address'],
    ['file:///etc/passwd', 'it is not an http:// or https:// address'],
    ['example.org', 'it is not an http:// or https:// address'],
    ['http://[fe80::1%25eth0]/', 'it is not an http:// or https:// address'],
    ['https://me@example.org/', 'an address with a user name or password is not allowed'],
    ['https://:pass@example.org/', 'an address with a user name or password is not allowed'],
    ['https://example.org:22/', 'port 22 is not allowed; use one of 80, 443'],
    ['http://8.8.8.8:6379/', 'port 6379 is not allowed; use one of 80, 443'],
  ])('%s', async (url, why) => {
    expect(await failureOf(strict.fetch(asked(url)))).toBe(why)
  })

  test('the owner may name the own network, and no metadata service', () => {
    const own = fetcher({ mayAsk: mayBeAsked })
    for (const url of ['http://127.0.0.1:1/', 'http://192.168.1.20/', 'http://[fd12::1]/']) {
      expect(own.check(url, 'owner').href).toBe(url)
      expect(() => own.check(url, 'anyone')).toThrow('does not lead to a public address')
    }
    for (const url of ['http://169.254.169.254/', 'http://[::ffff:169.254.169.254]/']) {
      expect(() => own.check(url, 'owner')).toThrow('does not lead to a public address')
    }
  })

  test('the gateway itself is never asked, by an address or by a name', async () => {
    const server = await startServer(() => ({ body: 'the gateway' }))
    const port = Number(new URL(server.url).port)
    const own = fetcher({ ownPort: () => port, isOwnAddress: (ip) => ip === '127.0.0.1' })
    for (const host of ['127.0.0.1', 'localhost']) {
      const why = await failureOf(own.fetch(asked(`http://${host}:${port}/`)))
      expect(why).toBe(`${host} does not lead to a public address`)
    }
    const byName = fetcher({ leadsHere: ({ hostname }) => hostname === '127.0.0.1' })
    expect(await failureOf(byName.fetch(asked(server.url)))).toContain('public address')
    expect(server.requests).toEqual([])
  })
})

describe('redirects', () => {
  test('are followed three times, relative ones too', async () => {
    const server = await startServer(({ url }) => {
      const left = Number(url.slice(1))
      return left === 0 ? { body: 'there' } : { status: 302, headers: { location: `/${left - 1}` } }
    })
    const fetched = await fetcher().fetch(asked(`${server.url}/3`))
    expect([fetched.bytes.toString(), server.requests.length]).toEqual(['there', 4])
    const why = await failureOf(fetcher().fetch(asked(`${server.url}/4`)))
    expect(why).toBe('127.0.0.1 redirects more than 3 times')
  })

  test.each([
    ['http://10.0.0.1/', '10.0.0.1 does not lead to a public address'],
    ['http://[::1]/', '[::1] does not lead to a public address'],
    ['http://me:you@127.0.0.1/', 'an address with a user name or password is not allowed'],
    ['file:///etc/passwd', 'it is not an http:// or https:// address'],
    ['http://', '127.0.0.1 redirects to no address'],
  ])('to %s is not followed', async (location, why) => {
    const server = await startServer(() => ({ status: 307, headers: { location } }))
    expect(await failureOf(fetcher().fetch(asked(server.url)))).toBe(why)
    expect(server.requests).toHaveLength(1)
  })

  test('are looked at again where a name leads elsewhere', async () => {
    const inner = await startServer(() => ({ body: 'secret' }))
    const port = Number(new URL(inner.url).port)
    const outer = await startServer(() => ({
      status: 301,
      headers: { location: `http://localhost:${port}/` },
    }))
    const rules = { ownPort: () => port, isOwnAddress: () => true }
    const why = await failureOf(fetcher(rules).fetch(asked(outer.url)))
    expect([why, inner.requests.length]).toEqual(['localhost does not lead to a public address', 0])
  })

  test('from https to http are not followed', async () => {
    const { ca, server: certificate } = makeAuthority()
    const owner = {}
    trustAlso(owner, [ca])
    onTestFinished(() => trustAlso(owner, []))
    const plain = await startServer(() => ({ body: 'anybody may change this' }))
    const secret = await startServer(() => ({ status: 302, headers: { location: plain.url } }))
    const front = await startTlsFront(secret.url, certificate)
    onTestFinished(() => front.close())
    const why = await failureOf(fetcher().fetch(asked(front.url)))
    expect([why, plain.requests]).toEqual(['127.0.0.1 redirects from https to http', []])
    expect(secret.requests).toHaveLength(1)
  })

  test('of a notice are not followed: it would say to another what it says to this one', async () => {
    const server = await startServer(() => ({ status: 308, headers: { location: '/b' } }))
    const why = await failureOf(fetcher().fetch(asked(server.url, { body: Buffer.from('{}') })))
    expect(why).toBe('127.0.0.1 redirects: enter the address that it leads to')
    expect(server.requests).toHaveLength(1)
  })
})

describe('limits', () => {
  const MEGABYTE = 1_000_000

  test('an answer that says it is too large is not read', async () => {
    const server = await startServer(() => ({ body: Buffer.alloc(4 * MEGABYTE) }))
    const why = await failureOf(fetcher().fetch(asked(server.url)))
    expect(why).toBe('it is larger than 1 MB')
  })

  test('one that does not say so is cut off', async () => {
    const chunks = Array.from({ length: 400 }, () => Buffer.alloc(64 * 1024))
    const server = await startServer(() => ({ chunks }))
    const why = await failureOf(fetcher().fetch(asked(server.url)))
    expect([why, await server.last().ended]).toEqual(['it is larger than 1 MB', 'gone'])
  })

  test('one that is packed counts as it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE))
    const headers = { 'content-encoding': 'gzip' }
    const server = await startServer(() => ({ body: bomb, headers }))
    expect(bomb.length).toBeLessThan(MEGABYTE)
    const why = await failureOf(fetcher().fetch(asked(server.url)))
    expect(why).toBe('it is larger than 1 MB')
  })

  test('several have their sum', async () => {
    const server = await startServer(() => ({ body: Buffer.alloc(600_000) }))
    const shared = { left: MEGABYTE }
    await fetcher().fetch(asked(server.url, { shared }))
    const why = await failureOf(fetcher().fetch(asked(server.url, { shared })))
    expect(why).toBe('the files of one call are too large together')
  })

  test('a server that is silent, before its answer or in it, is not waited for', async () => {
    const replies: Reply[] = [{ ending: 'hang-before-headers' }, { chunks: ['a'], ending: 'hang' }]
    const servers = await Promise.all(replies.map((reply) => startServer(() => reply)))
    const waits = servers.map(async (server) => {
      const why = await failureOf(fetcher().fetch(asked(server.url, { timeLimit: 1500 })))
      expect([why, await server.last().ended]).toEqual(['it took longer than 1.5 seconds', 'gone'])
    })
    // The reason is the same where this machine has no time for it just then.
    const busy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    setTimeout(busy, 1350)
    await Promise.all(waits)
  })

  test('one that drips is not waited for either', async () => {
    const chunks = Array.from({ length: 1000 }, () => 'x')
    const server = await startServer(() => ({ chunks, pause: 20 }))
    const why = await failureOf(fetcher().fetch(asked(server.url, { timeLimit: 1500 })))
    expect([why, await server.last().ended]).toEqual(['it took longer than 1.5 seconds', 'gone'])
  })

  test('who leaves is not fetched for any more', async () => {
    const server = await startServer()
    server.script({ chunks: ['a'], ending: 'hang' })
    const controller = new AbortController()
    const fetching = fetcher().fetch(asked(server.url, { signal: controller.signal }))
    await expect.poll(() => server.requests).toHaveLength(1)
    controller.abort(new Error('left'))
    expect([await failureOf(fetching), await server.last().ended]).toEqual(['left', 'gone'])
  })
})

describe('failures', () => {
  test('tell a status and nothing of what was said with it', async () => {
    const server = await startServer(() => ({ status: 403, body: 'the inner secret' }))
    expect(await failureOf(fetcher().fetch(asked(server.url)))).toBe('127.0.0.1 answered 403')
  })

  test('of a type that is not wanted come before the rest is read', async () => {
    const server = await startServer(() => ({ body: '<html>' }))
    const wrongType = (type: string) => (type === 'text/plain' ? 'it is text' : null)
    expect(await failureOf(fetcher().fetch(asked(server.url, { wrongType })))).toBe('it is text')
  })

  test('of connections say what happened, and whether it may pass', async () => {
    const server = await startServer()
    server.script({ ending: 'reset-before-headers' }, { chunks: ['a'], ending: 'cut' })
    const reset = await failureOf(fetcher().fetch(asked(server.url)))
    expect(reset).toMatch(/^127\.0\.0\.1 cannot be reached \(\w+\)$/)
    const cut = await failureOf(fetcher().fetch(asked(server.url)))
    expect(cut).toMatch(/^127\.0\.0\.1 did not send all of its answer \(\w+\)$/)
    const closed = await startServer()
    await closed.close().catch(() => undefined)
    const fetching = fetcher().fetch(asked(closed.url))
    await expect(fetching).rejects.toMatchObject({
      message: '127.0.0.1 cannot be reached (ECONNREFUSED)',
      isPassing: true,
    })
  })
})

test.each([
  [429, true],
  [408, true],
  [503, true],
  [404, false],
  [401, false],
])('whether it is worth another try after a refusal with %i: %s', async (status, isPassing) => {
  const server = await startServer(() => ({ status }))
  const fetching = fetcher().fetch(asked(server.url))
  await expect(fetching).rejects.toMatchObject({ isPassing })
})
