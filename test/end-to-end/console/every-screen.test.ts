import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageRoutes } from '../../../renderer/page-routes.ts'
import { inspectedVendor } from '../../support/captures/inspected-calls.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { fillGateway } from '../../support/gateway/full-gateway.ts'
import { axeFaultsInBothThemes } from '../../support/pages/axe-faults.ts'
import { shownElsewhere, surfaces } from '../../support/pages/console-surfaces.ts'
import { goWithin } from '../../support/pages/go-within.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import { reachFaults } from '../../support/pages/reach-faults.ts'
import type { Surface } from '../../support/pages/surface-steps.ts'
import type { WatchedPage } from '../../support/pages/watched-page.ts'

const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
const renderer = join(import.meta.dirname, '../../../renderer')
const dialog = '[role=dialog], [role=menu], .mantine-Combobox-dropdown'
/** All of them and at every width, or each fourth one. */
const isWhole = process.env.EVERY_WIDTH === '1'
const shown = surfaces.filter((_, index) => isWhole || index % 4 === 0)
/** The narrowest window of the desktop and a phone in turn, or both, one between and two beyond. */
const widthsOf = (index: number): number[] =>
  isWhole ? [1280, 1600, 900, 768, 400] : [index % 2 === 0 ? 900 : 400]
/** A long list is looked at by its first rows and its last, for the others are like them. */
const furtherRows = ':is(tr, li, [role=option]):nth-child(n + 13):not(:last-child)'

let console: ConsoleOverHttp
let watched: WatchedPage
let call: string

beforeAll(async () => {
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude/settings.json'), '{ "theme": "dark" }\n')
  console = await startConsoleOverHttp({
    ...{ empty: true, handler: inspectedVendor, gateway: { env: { HOME: home } } },
  })
  call = (await fillGateway(console.pair)).converted
  watched = await console.open('/', { colorScheme: 'light' })
  await watched.page.addStyleTag({ content: `${furtherRows} { display: none }` })
})
afterAll(async () => {
  await console?.close()
  rmSync(home, { recursive: true, force: true })
})

async function settle() {
  const { page } = watched
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  })
}

/** Asked again while a page still follows its window's new width. */
async function reachFaultsNow(): Promise<string[]> {
  const { page } = watched
  let faults: string[] = []
  for (let tries = 0; tries < 20; tries++) {
    await settle()
    faults = [...(await pageFaults(page)), ...(await reachFaults(page))]
    if (faults.length === 0) break
    await page.waitForTimeout(100)
  }
  return faults.slice(0, 6)
}

async function show({ path, open }: Surface) {
  const { page } = watched
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await goWithin(page, path.replace('CALL', call))
  await settle()
  await open?.(page)
  // Where it clicked, a hint may come up at any moment, outside all regions.
  await page.mouse.move(0, 0)
  await settle()
}

test.each(
  shown.map(
    (surface, index) => [surface.name, widthsOf(index).join(', '), surface, index] as const,
  ),
)(
  '%s: axe finds nothing, light and dark, and every action is in reach at %s px',
  async (_name, _widths, surface, index) => {
    const { page, picture } = watched
    await show(surface)
    const isOver = await page.locator(dialog).filter({ visible: true }).first().isVisible()
    const within = isOver ? dialog : undefined
    const name = surface.name.replace(/\W+/g, '-').toLowerCase()
    await picture(`screen-${name}-light`)
    const faults = await axeFaultsInBothThemes(page, within)
    await picture(`screen-${name}-dark`)
    expect.soft(faults.slice(0, 12)).toEqual([])
    for (const width of widthsOf(index)) {
      await page.setViewportSize({ width, height: 800 })
      expect.soft(await reachFaultsNow(), `at ${width}`).toEqual([])
      await picture(`screen-${name}-${width}`)
    }
  },
)

test('no page, dialog, drawer or menu is left out above', () => {
  const routes = surfaces.map(({ route }) => route)
  expect(pageRoutes.map(({ path }) => path).filter((path) => !routes.includes(path))).toEqual([])

  const opens = /<(?:Modal|Drawer|FormDrawer|Menu|RowMenu|Popover|Combobox)(?:\.Root)?[\s>]/
  const reached = new Set([...surfaces.flatMap(({ shows = [] }) => shows), ...shownElsewhere])
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.tsx'))
    .filter((file) => opens.test(readFileSync(join(renderer, file), 'utf8')))
  expect(files.filter((file) => !reached.has(file))).toEqual([])
  expect([...reached].filter((file) => !files.includes(file))).toEqual([])
})
