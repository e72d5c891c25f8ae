import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Desktop, launchDesktop, temporaryFolder } from '../support/desktop/launch-desktop.ts'

const folder = temporaryFolder()
let desktop: Desktop

beforeAll(async () => {
  desktop = await launchDesktop({ folder: folder.path, page: 'empty' })
})

afterAll(async () => {
  await desktop?.close()
  folder.remove()
})

/** The answer that the console's own page gets for a path of its origin. */
async function ask(path: string, method = 'GET') {
  const page = await desktop.page()
  return page.evaluate(
    async ([wanted, how]) => {
      const answer = await fetch(wanted, { method: how })
      const headers = Object.fromEntries(answer.headers)
      return { status: answer.status, headers, text: await answer.text() }
    },
    [path, method] as const,
  )
}

describe('app://console', () => {
  test('shows the same page at every path of the console, so that a reload stays where it was', async () => {
    const start = await ask('/console/')
    expect(start.status).toBe(200)
    expect(start.text).toContain('<div id="root">')
    for (const path of ['/console', '/console/channels', '/console/channels/7']) {
      expect(await ask(path)).toMatchObject({ status: 200, text: start.text })
    }
  })

  test('sends the scripts of the page with their type, and never a page in the place of one', async () => {
    const start = await ask('/console/')
    const script = /src="([^"]+\.js)"/.exec(start.text)?.[1] ?? ''
    const answer = await ask(script)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect((await ask('/console/assets/gone.js')).status).toBe(404)
  })

  test.each([
    '/console/..%2fmain%2fdesktop.js',
    '/console/..%2f..%2fpackage.json',
    '/console/%2e%2e%2f%2e%2e%2fpackage.json',
    '/console/..%2frenderer-of-another%2fa.js',
    '/console/..%5c..%5cpackage.json',
    '/..%2f..%2fpackage.json',
    '/%2fetc%2fhosts.json',
    '/console/assets%00.js',
  ])('does not leave the folder of the console by %s', async (path) => {
    const answer = await ask(path)
    expect([400, 404]).toContain(answer.status)
    expect(answer.text).toBe('')
  })

  test('refuses an escape that is no text, and methods that would change something', async () => {
    expect((await ask('/console/%ff.js')).status).toBe(400)
    expect((await ask('/console/', 'POST')).status).toBe(405)
  })

  test('runs only its own scripts: nothing inline, nothing evaluated, nothing from elsewhere', async () => {
    const { headers } = await ask('/console/')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';")
    expect(headers['x-content-type-options']).toBe('nosniff')
    const page = await desktop.page()
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script')
      script.textContent = 'window.inlineRan = true'
      document.head.append(script)
      const sandboxed = document.createElement('script')
      sandboxed.src = 'data:text/javascript,window.dataRan = true'
      const settled = new Promise((resolve) => {
        sandboxed.onload = sandboxed.onerror = resolve
      })
      document.head.append(sandboxed)
      await settled
      return ['inlineRan' in window, 'dataRan' in window]
    })
    expect(ran).toEqual([false, false])
  })
})
