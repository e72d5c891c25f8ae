import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright'
import { toAppUrl } from '../electron/browser.ts'
import { loadPlaywright } from '../pages/load-playwright.ts'
import type { Answer } from './electron-process.ts'
import type { Desktop } from './launch-desktop.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const startTime = 30_000

/** Starts the built main process on Node with the stand-in in the place of `electron`. */
export async function launchStandIn(
  env: Record<string, string>,
  flags: string[],
): Promise<Desktop> {
  const child = spawn(
    process.execPath,
    [...['./test/output/stand-in/electron-process.mjs'], 'dist/main/desktop.js', ...flags],
    { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  )
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const exited = once(child, 'close').then(([code]): number | null => code)
  const failed = exited.then((code): never => {
    throw new Error(`The desktop ended with ${code}: ${stderr}`)
  })
  failed.catch(() => {})
  let browser: Promise<Browser> | undefined

  return {
    exited,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    evaluate(run, argument) {
      return Promise.race([failed, ask<never>(child, run.toString(), argument)])
    },
    async page() {
      browser ??= ask<number>(child, '({ debuggingPort }) => debuggingPort()', null).then((port) =>
        loadPlaywright().chromium.connectOverCDP(`http://127.0.0.1:${port}`),
      )
      return Promise.race([failed, browser.then(consolePage)])
    },
    // Not by `disconnect`: after that Node tells nobody that the process has ended.
    async close() {
      if (child.connected) child.send({ id: 0, run: '({ app }) => app.exit(0)', argument: null })
      await exited
    },
  }
}

let lastQuestion = 0

function ask<Value>(child: ChildProcess, run: string, argument: unknown): Promise<Value> {
  const id = ++lastQuestion
  return new Promise((resolve, reject) => {
    const onMessage = (answer: Answer) => {
      if (answer.id !== id) return
      child.off('message', onMessage)
      if (answer.failure === undefined) resolve(answer.value as Value)
      else reject(new Error(answer.failure))
    }
    child.on('message', onMessage)
    child.send({ id, run, argument })
  })
}

async function consolePage(browser: Browser): Promise<Page> {
  const giveUp = Date.now() + startTime
  while (Date.now() < giveUp) {
    const pages = browser.contexts().flatMap((context) => context.pages())
    const page = pages.find((candidate) => toAppUrl(candidate.url()).startsWith('app://console/'))
    if (page) {
      await page.waitForLoadState('domcontentloaded')
      return page
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The desktop opened no window')
}
