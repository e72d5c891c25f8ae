import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StreamEvent } from '../../preload/contract.ts'
import {
  type Desktop,
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'

declare global {
  interface Window {
    heard: StreamEvent[]
    cancel?: () => void
  }
}

const folder = temporaryFolder()
let desktop: Desktop
let page: Page

const answers: ServerResponse[] = []

/** An upstream that says one word and then nothing, until the test ends it or the gateway leaves. */
const upstream = createServer((request, response) => {
  request.resume()
  response.setHeader('content-type', 'text/event-stream')
  response.write('data: {"choices":[{"index":0,"delta":{"content":"word"}}]}\n\n')
  answers.push(response)
})

beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const { port } = upstream.address() as AddressInfo
  desktop = await launchDesktop({ folder: folder.path, page: 'empty' })
  page = await desktop.page()
  await page.evaluate(async (base_url) => {
    await window.switchyard?.call('setup.run', {})
    await window.switchyard?.call('channel.create', {
      mode: 'single',
      channel: { type: 1, name: 'Slow', key: 'k', base_url, models: 'slow', group: 'default' },
    })
  }, `http://127.0.0.1:${port}`)
})

afterAll(async () => {
  await desktop?.close()
  upstream.closeAllConnections()
  upstream.close()
  folder.remove()
})

/** Begins a chat and waits for its first piece; gives the upstream's side of it. */
async function begin(): Promise<ServerResponse> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.heard = []
        const body = { model: 'slow', stream: true, messages: [{ role: 'user', content: 'hi' }] }
        window.cancel = window.switchyard?.stream('playground.chat', body, (event) => {
          window.heard.push(event)
          if (event.type === 'chunk') resolve()
        })
      }),
  )
  const answer = answers.at(-1)
  if (!answer) throw new Error('The upstream was not asked')
  return answer
}

const heard = () =>
  page.evaluate(() =>
    window.heard.map((event) =>
      event.type === 'chunk' ? new TextDecoder().decode(event.bytes) : event.type,
    ),
  )

test('a stream reaches the page piece by piece, and says when it is whole', async () => {
  const answer = await begin()
  answer.end('data: [DONE]\n\n')
  await expect.poll(heard).toContain('end')
  const all = await heard()
  expect(all[0]).toBe('start')
  expect(all.slice(1, -1).join('')).toMatch(/"content":"word".*\[DONE\]/s)
})

test('a stream that is over is forgotten by the page: to cancel it then asks the gateway nothing', async () => {
  await desktop.evaluate(({ ipcMain }) => {
    const counted = globalThis as { cancels?: number }
    counted.cancels = 0
    ipcMain.on('operation.cancel', () => {
      counted.cancels = (counted.cancels ?? 0) + 1
    })
  }, null)
  const cancels = () => desktop.evaluate(() => (globalThis as { cancels?: number }).cancels, null)
  const over = await begin()
  over.end('data: [DONE]\n\n')
  await expect.poll(heard).toContain('end')
  await page.evaluate(() => window.cancel?.())
  // Messages keep their order: this one's cancel comes after that of the stream before.
  const answer = await begin()
  const left = once(answer, 'close')
  await page.evaluate(() => window.cancel?.())
  await left
  expect(await cancels()).toBe(1)
})

test('a stream that the page cancels is given up at the upstream, and tells no more', async () => {
  const answer = await begin()
  const left = once(answer, 'close')
  await page.evaluate(() => window.cancel?.())
  await left
  expect(await heard()).not.toContain('end')
  expect(await heard()).not.toContain('error')
})

test('a page that is reloaded gives up what it began', async () => {
  const answer = await begin()
  const left = once(answer, 'close')
  await page.reload()
  await left
})

test('a stream that the upstream cuts ends with an error, and never as if it were whole', async () => {
  const answer = await begin()
  answer.destroy()
  await expect
    .poll(heard)
    .toEqual(expect.arrayContaining([expect.stringMatching(/^error$|"error"/)]))
  expect((await heard()).join('')).not.toContain('[DONE]')
})

test('a page that may not go elsewhere goes on with what it began', async () => {
  const answer = await begin()
  await page.evaluate(() => {
    location.href = 'https://elsewhere.example/'
  })
  await page.waitForTimeout(300)
  answer.end('data: [DONE]\n\n')
  await expect.poll(heard).toContain('end')
  expect((await heard()).join('')).toContain('[DONE]')
})

test('a page cannot reach into its preload, whatever it does to its own world', async () => {
  await page.evaluate(() => {
    // The preload keeps its streams in a map.
    Map.prototype.get = () => undefined
  })
  try {
    const answer = await begin()
    answer.end('data: [DONE]\n\n')
    await expect.poll(heard).toContain('end')
  } finally {
    await page.reload()
  }
})

test.skipIf(isRealElectron)(
  'what was under way while the computer slept, and stays silent, ends with an error',
  async () => {
    await begin()
    await desktop.evaluate(({ powerMonitor }) => {
      powerMonitor.emit('suspend')
      const { setTimeout: original } = globalThis
      const { now } = Date
      Object.assign(globalThis, {
        setTimeout: (run: () => void, milliseconds = 0) =>
          original(run, milliseconds === 30_000 ? 300 : milliseconds),
      })
      Date.now = () => now() + 600_000
      powerMonitor.emit('resume')
      Object.assign(globalThis, { setTimeout: original })
      Date.now = now
    }, null)
    await expect
      .poll(heard)
      .toEqual(expect.arrayContaining([expect.stringMatching(/^error$|"error"/)]))
  },
)
