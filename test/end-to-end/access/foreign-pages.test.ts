import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Request } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'

let over: ConsoleOverHttp
/** Another program of this machine that serves a page: the same site to a browser, on another port. */
const neighbour = createServer((request, response) => {
  const to = new URL(request.url ?? '/', 'http://neighbour').searchParams.get('to')
  if (to) response.writeHead(302, { location: to }).end()
  else
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body>Hi</body>')
})

beforeAll(async () => {
  over = await startConsoleOverHttp()
  await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  neighbour.close()
  await over?.close()
})

/** Ways in which a page makes a browser send a GET with its cookies. */
const waysToGet = {
  picture: 'document.body.append(Object.assign(new Image(), { src: url }))',
  script: "document.body.append(Object.assign(document.createElement('script'), { src: url }))",
  style:
    "document.body.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url }))",
  prefetch:
    "document.body.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: url }))",
  frame: "document.body.append(Object.assign(document.createElement('iframe'), { src: url }))",
  form: "{ const form = Object.assign(document.createElement('form'), { action: url, target: 'other' }); document.body.append(form); form.submit() }",
  fetch: "fetch(url, { mode: 'no-cors', credentials: 'include' }).catch(() => {})",
  'fetch with a redirect':
    "fetch('/?to=' + encodeURIComponent(url), { mode: 'no-cors', credentials: 'include' }).catch(() => {})",
  events: 'new EventSource(url, { withCredentials: true })',
  window: "window.open(url, 'other')",
  navigation: 'location.href = url',
} as const

describe('a page of another program on this machine', () => {
  test('cannot change or spend anything, in any way that a page has to send a GET', async () => {
    const { page, context } = await over.open('/')
    const { gateway, upstream } = over.pair
    const owner = () => gateway.parts.users.byUsername('owner')
    const before = JSON.stringify(owner())
    const asked = upstream.requests.length
    const channel = gateway.parts.channels.all()[0]?.id
    const origin = `http://127.0.0.1:${(neighbour.address() as AddressInfo).port}`
    for (const [way, script] of Object.entries(waysToGet)) {
      await page.goto(origin)
      for (const path of ['/api/user/token', `/api/channel/test/${channel}`, '/api/user/logout']) {
        const isOurs = (one: Request) => one.url().startsWith(gateway.url + path)
        // Pictures and scripts that are no such thing are blocked when their answer's head is there.
        const answered = Promise.race([
          context.waitForEvent('response', (one) => isOurs(one.request())),
          context.waitForEvent('requestfailed', isOurs),
        ])
        await page.evaluate(`{ const url = ${JSON.stringify(gateway.url + path)}; ${script} }`)
        await answered
        if (way === 'navigation') {
          await page.waitForURL((url) => url.href.startsWith(gateway.url))
          await page.goto(origin)
        }
      }
      expect(JSON.stringify(owner()), way).toBe(before)
      expect(upstream.requests, way).toHaveLength(asked)
      // The session is still there.
      const self = await context.request.get(`${gateway.url}/api/user/self`)
      expect(self.status(), way).toBe(200)
    }
    await context.close()
  })

  test('cannot post to it, in any way that a browser sends unasked', async () => {
    const { page, context } = await over.open('/')
    const { gateway } = over.pair
    await page.goto(`http://127.0.0.1:${(neighbour.address() as AddressInfo).port}`)
    const statuses = await page.evaluate(async (url) => {
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
      const answers = types.map((type) =>
        fetch(url, {
          method: 'POST',
          mode: 'no-cors',
          credentials: 'include',
          headers: { 'content-type': type },
          body: '{}',
        }).then(({ type }) => type),
      )
      return Promise.all(answers)
    }, `${gateway.url}/api/user/token`)
    expect(statuses).toEqual(['opaque', 'opaque', 'opaque'])
    expect(gateway.parts.users.byUsername('owner')?.accessToken ?? null).toBeNull()
    await context.close()
  })
})

test('the console itself may do all of it', async () => {
  const { page, context } = await over.open('/')
  const statuses = await page.evaluate(
    async (paths) => {
      const answers: number[] = []
      for (const path of paths) answers.push((await fetch(path)).status)
      return answers
    },
    ['/api/user/token', '/api/user/logout'],
  )
  expect(statuses).toEqual([200, 200])
  await context.close()
})
