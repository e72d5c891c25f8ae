import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callOperation } from '../support/desktop/call-operation.ts'
import {
  type Desktop,
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'
import { axeFaults } from '../support/pages/axe-faults.ts'
import { drawPage } from '../support/pages/draw-page.ts'

vi.setConfig({ testTimeout: 90_000 })
const soon = { timeout: 30_000 }
const KEY = 'sk-test-link-0123456789'
const link = (name: string) =>
  `switchyard://import?name=${name}&base_url=https%3A%2F%2Frelay.example.com%2Fv1&key=${KEY}&models=one`

let folder: { path: string; remove(): void }
let desktop: Desktop | undefined

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(async () => {
  await desktop?.close()
  desktop = undefined
  folder.remove()
})

/** The text of all files below a folder. */
const filesIn = (path: string): string =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

const channels = (page: Page) =>
  page.evaluate(async () => {
    const answer = await window.switchyard?.call('channel.list', { p: 1, page_size: 10 })
    return answer?.ok ? (answer.data as { items: { name: string }[] }).items : []
  })

/** An owner without a password, in front of the window. */
async function start(): Promise<Page> {
  desktop = await launchDesktop({ folder: folder.path })
  const page = await desktop.page()
  await page.evaluate(() => window.switchyard?.call('setup.run', {}))
  await page.goto(page.url().replace(/\/console\/.*/, '/console/channels'))
  await page.getByRole('heading', { name: 'Channels' }).waitFor()
  return page
}

test('a second start with a link shows its host and a masked key, and only a click adds it', async () => {
  const page = await start()
  const again = await launchDesktop({ folder: folder.path, flags: [link('Relay')] })
  expect(await again.exited).toBe(0)
  const dialog = page.getByRole('dialog', { name: 'A link wants to add a channel' })
  await dialog.waitFor()
  await dialog.getByText('relay.example.com').waitFor()
  await dialog.getByText('sk-…6789').waitFor()
  expect(await page.content()).not.toContain(KEY)
  expect(page.url()).not.toContain('relay.example.com')
  expect(await axeFaults(page, '[role=dialog]')).toEqual([])
  await drawPage(page, 'desktop-link')
  expect(await channels(page)).toEqual([])

  // The next link takes the place of the one before.
  const junk = await launchDesktop({ folder: folder.path, flags: ['switchyard://open?x=1'] })
  expect(await junk.exited).toBe(0)
  await dialog.getByRole('alert').getByText('isn’t of the form').waitFor()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await launchDesktop({ folder: folder.path, flags: [link('Second')] })
  await dialog.getByText('Second').first().waitFor()
  await dialog.getByRole('button', { name: 'Import 1 item' }).click()
  await dialog.getByText('Imported: 1 added, 0 changed.').waitFor()
  expect(await channels(page)).toMatchObject([{ name: 'Second' }])

  // Nothing of a link is logged, and the key of the channel that was added is sealed wherever it lies.
  const log = filesIn(join(folder.path, 'logs'))
  expect(log).toContain('"level"')
  for (const word of [KEY, 'relay.example.com', 'Relay', 'Second', 'switchyard://']) {
    expect(log, word).not.toContain(word)
    expect(desktop?.stderr(), word).not.toContain(word)
  }
  const all = filesIn(folder.path)
  expect(all).toContain('Second')
  expect(all).not.toContain(KEY)
})

test.skipIf(isRealElectron)(
  'a first start with a link shows it once the owner is there',
  async () => {
    desktop = await launchDesktop({ folder: folder.path, page: 'none' })
    await callOperation(desktop, 'setup.run', {})
    await desktop.close()
    const flags = ['--hidden', link('Cold')]
    desktop = await launchDesktop({ folder: folder.path, flags })
    await expect.poll(() => existsSync(join(folder.path, 'lock')), soon).toBe(true)
    const page = await desktop.page()
    await page.getByRole('dialog').getByText('relay.example.com').waitFor()
    // As macOS hands it over.
    await desktop.evaluate(({ app }, url) => {
      app.emit('open-url', { preventDefault() {} }, url)
    }, link('Handed'))
    await page.getByRole('dialog').getByText('Handed').first().waitFor()
    expect(await channels(page)).toEqual([])
  },
)
