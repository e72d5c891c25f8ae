import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'switchyard-strict-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs an entry over the stand-in; gives what it prints within so many milliseconds. */
function run(source: string, limit = 30_000): Promise<string> {
  const entry = join(folder, `entry-${Math.random()}.mjs`)
  writeFileSync(entry, source)
  const child = spawn(process.execPath, ['./test/output/stand-in/electron-process.mjs', entry], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), limit)
    child.once('close', () => {
      clearTimeout(timer)
      resolve(said.trim())
    })
  })
}

test('the stand-in refuses what Electron refuses', async () => {
  const said = await run(`
    import { app, BrowserWindow, protocol } from 'electron'
    const said = []
    const attempt = (what) => {
      try { return String(what()) } catch (error) { return error.name + ': ' + error.message }
    }
    said.push(attempt(() => app.setPath('userData', 'relative')))
    said.push(attempt(() => app.setPath('userData', '/nowhere/at/all')))
    said.push('locale ' + app.getLocale())
    said.push(attempt(() => new BrowserWindow()))
    protocol.registerSchemesAsPrivileged([
      { scheme: 'app', privileges: { standard: true, secure: true } },
    ])
    app.on('window-all-closed', () => {})
    app.whenReady().then(async () => {
      said.push('locale ' + app.getLocale())
      let headers
      protocol.handle('app', (request) => {
        headers = request.headers
        if (request.url.endsWith('/text')) return 'no response'
        return new Response('<p>here', { headers: { 'content-type': 'text/html' } })
      })
      const window = new BrowserWindow()
      said.push(await window.loadURL('app://here/text').catch((error) => error.code))
      await window.loadURL('app://here/page')
      said.push(headers.has('user-agent'))
      const order = []
      const { webContents } = window
      for (const name of ['did-start-navigation', 'will-navigate', 'did-navigate']) {
        webContents.on(name, (event) => {
          order.push(name)
          if (name === 'will-navigate') event.preventDefault()
        })
      }
      await webContents.executeJavaScript("location.href = 'https://elsewhere.example/'; 1")
      while (!order.includes('will-navigate')) await new Promise((resolve) => setTimeout(resolve, 10))
      await new Promise((resolve) => setTimeout(resolve, 100))
      said.push(order.join(' '))
      const loading = window.loadURL('app://here/other')
      window.destroy()
      said.push(await loading.catch((error) => error.message))
      said.push(attempt(() => window.show()), attempt(() => webContents.send('x')))
      said.push(attempt(() => window.webContents), window.isDestroyed())
      process.stdout.write(JSON.stringify(said))
      app.exit(0)
    })
  `)
  expect(JSON.parse(said)).toEqual([
    'Error: Path must be absolute',
    'Error: Failed to set path',
    'locale ',
    'Error: BrowserWindow cannot be used before app is ready',
    'locale en-US',
    'ERR_FAILED',
    true,
    'did-start-navigation will-navigate',
    "ERR_FAILED (-2) loading 'app://here/other'",
    'TypeError: Object has been destroyed',
    'TypeError: Object has been destroyed',
    'TypeError: Object has been destroyed',
    true,
  ])
})

test('an entry that waits at its top for the app to be ready waits for ever', async () => {
  const waits = "import { app } from 'electron'; await app.whenReady(); console.log('ready')"
  expect(await run(waits, 8_000)).toBe('')
  const goesOn = waits.replace('await app.whenReady();', 'app.whenReady().then(() => app.exit(0));')
  expect(await run(goesOn)).toBe('ready')
})
