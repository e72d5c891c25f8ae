import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  consoleWalk,
  prepareWalk,
  type Walk,
  walker,
  walkThrough,
} from '../support/console-walk.ts'
import { type Desktop, launchDesktop, temporaryFolder } from '../support/launch-desktop.ts'
import { pageFaults } from '../support/page-faults.ts'

const output = fileURLToPath(new URL('../output/', import.meta.url))
const folder = temporaryFolder()
const problems: string[] = []
let desktop: Desktop
let page: Page
let walk: Walk

beforeAll(async () => {
  desktop = await launchDesktop({ folder: folder.path })
  page = await desktop.page()
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.setDefaultTimeout(10_000)
  const ask: Walk['ask'] = async (name, input) => {
    const result = await page.evaluate(([asked, given]) => window.switchyard?.call(asked, given), [
      name,
      input,
    ] as const)
    if (!result?.ok) throw new Error(result?.error.message ?? 'There is no bridge')
    return result.data as never
  }
  walk = { page, problems, ask }
  await ask('setup.run', { ...walker, confirmPassword: walker.password })
  await prepareWalk(walk)
})

afterAll(async () => {
  await desktop?.close()
  folder.remove()
})

describe('in the desktop', () => {
  test.each(consoleWalk)(
    '$path shows its page and does what it is for',
    async (step) => {
      const name = step.path.slice(1).replaceAll('/', '-') || 'overview'
      try {
        await walkThrough(walk, step)
        expect(await pageFaults(page)).toEqual([])
      } finally {
        await page.screenshot({ path: `${output}desktop-walk-${name}.png` })
      }
    },
    30_000,
  )
})
