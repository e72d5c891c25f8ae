import type { LookupAddress } from 'node:dns'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { asked, failureOf, fetcher } from './fetch-stage.ts'

/** The resolver's answers by name, one list per lookup; the last one stays. */
const answers = new Map<string, string[][]>()
const lookups: string[] = []

vi.mock('node:dns', async (load) => {
  const real = await load<typeof import('node:dns')>()
  type Callback = (error: Error | null, found: LookupAddress[]) => void
  return {
    ...real,
    lookup(host: string, _options: object, callback: Callback) {
      lookups.push(host)
      const said = answers.get(host)
      const list = said && (said.length > 1 ? said.shift() : said[0])
      const error = Object.assign(new Error('not known'), { code: 'ENOTFOUND' })
      process.nextTick(() =>
        list
          ? callback(
              null,
              list.map((address) => ({ address, family: 4 })),
            )
          : callback(error, []),
      )
    },
  }
})

/** 127.0.0.1 plays the internet here, and 127.0.0.2 a private network. */
const PUBLIC = '127.0.0.1'
const PRIVATE = '127.0.0.2'
const seen: string[] = []
const servers: Server[] = []
let port = 0

const listen = (server: Server, at: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, host, () => resolve((server.address() as AddressInfo).port))
  })

beforeAll(async () => {
  const outside = createServer((request, response) => {
    seen.push(`public ${request.headers.host} ${request.url}`)
    const isGoing = request.url === '/go'
    response.writeHead(isGoing ? 302 : 200, isGoing ? { location: '/inner' } : {})
    // A new connection looks the name up again, and the resolver may then answer differently.
    response.shouldKeepAlive = false
    response.end('from outside')
  })
  const inside = createServer((request, response) => {
    seen.push(`private ${request.url}`)
    response.end('secret')
  })
  servers.push(outside, inside)
  port = await listen(outside, 0, PUBLIC)
  await listen(inside, port, PRIVATE)
})

afterAll(() => {
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
})

beforeEach(() => {
  answers.clear()
  seen.length = 0
  lookups.length = 0
})

test('the address that was checked is the one that is asked, whatever the name says next', async () => {
  answers.set('turns.test', [[PUBLIC], [PRIVATE]])
  const { bytes } = await fetcher().fetch(asked(`http://turns.test:${port}/a`))
  expect([bytes.toString(), lookups]).toEqual(['from outside', ['turns.test']])
  expect(seen).toEqual([`public turns.test:${port} /a`])
})

test('a name that turns between two requests is refused at the second', async () => {
  answers.set('turns.test', [[PUBLIC], [PRIVATE]])
  const why = await failureOf(fetcher().fetch(asked(`http://turns.test:${port}/go`)))
  expect(why).toBe('turns.test does not lead to a public address')
  expect(seen).toEqual([`public turns.test:${port} /go`])
})

test('one private address among several refuses the name', async () => {
  for (const list of [
    [PUBLIC, PRIVATE],
    [PRIVATE, PUBLIC],
    [PUBLIC, '169.254.169.254'],
  ]) {
    answers.set('both.test', [list])
    const why = await failureOf(fetcher().fetch(asked(`http://both.test:${port}/`)))
    expect(why).toBe('both.test does not lead to a public address')
  }
  expect(seen).toEqual([])
})

test('a name that is not known is told from a private one by nothing', async () => {
  answers.set('private.test', [[PRIVATE]])
  const why = async (name: string) =>
    (await failureOf(fetcher().fetch(asked(`http://${name}.test:${port}/`)))).replace(name, '')
  expect(await why('private')).toBe(await why('unknown'))
})
