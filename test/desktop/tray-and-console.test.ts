import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type Desktop,
  isRealElectron,
  launchDesktop,
  temporaryFolder,
} from '../support/desktop/launch-desktop.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const folder = temporaryFolder()
const holder = createServer()
let desktop: Desktop

beforeAll(async () => {
  // Another program has the default port; where one really has it, all the better.
  await new Promise<void>((resolve) => {
    holder.once('error', () => resolve())
    holder.listen(4747, '127.0.0.1', () => resolve())
  })
  desktop = await launchDesktop({ folder: folder.path, env: { SWITCHYARD_PORT: '' } })
  const page = await desktop.page()
  await page.evaluate(() => window.switchyard?.call('setup.run', {}))
})
afterAll(async () => {
  await desktop?.close()
  holder.close()
  folder.remove()
})

interface Seen {
  id: string
  label: string
  enabled: boolean
}

const tray = () =>
  desktop.evaluate((electron) => {
    const [one] = (electron.Tray as unknown as { all: { seen: Seen[]; toolTip: string }[] }).all
    return { items: one?.seen ?? [], toolTip: one?.toolTip ?? '' }
  }, null)

const choose = (id: string) =>
  desktop.evaluate((electron, wanted) => {
    const { all } = electron.Tray as unknown as { all: { choose(id: string): void }[] }
    all[0]?.choose(wanted)
  }, id)

const notifications = () =>
  desktop.evaluate((electron) => {
    const { all } = electron.Notification as unknown as { all: { title: string; body: string }[] }
    return all.map(({ title, body }) => ({ title, body }))
  }, null)

test.skipIf(isRealElectron)(
  'a default port that is taken is told once, and the tray has the real address',
  async () => {
    const { items, toolTip } = await tray()
    const url = toolTip.split(' · ')[1] ?? ''
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:47(4[89]|5\d|6\d)$/)
    const label = (id: string) => items.find((item) => item.id === id)?.label
    expect(label('moved')).toBe(`Port 4747 is in use: now at ${url}`)
    expect(label('copy-base-url')).toBe(`Copy ${url}`)
    expect(await notifications()).toEqual([
      { title: 'Switchyard has a new address', body: expect.stringContaining(url) },
    ])
    expect((await fetch(`${url}/api/status`)).status).toBe(200)
  },
)

test.skipIf(isRealElectron)('pausing in the tray shows in the open console, and back', async () => {
  const page = await desktop.page()
  await page.reload()
  await page.getByRole('button', { name: /^Health, running/ }).waitFor()
  const pause = async () => (await tray()).items.find(({ id }) => id === 'pause')
  await expect.poll(async () => (await pause())?.enabled).toBe(true)
  await choose('pause')
  await page.getByText(/^Paused since/).waitFor()
  await page.getByRole('button', { name: /^Health, paused/ }).waitFor()
  await expect.poll(async () => (await tray()).toolTip).toMatch(/ · paused$/)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(async () => (await tray()).toolTip).not.toContain('paused')
})

test.skipIf(isRealElectron)('the tray opens the console at a page', async () => {
  await choose('open-calls')
  await expect
    .poll(async () => new URL((await desktop.page()).url()).pathname)
    .toBe('/console/calls')
})
