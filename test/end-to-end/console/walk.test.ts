import type { BrowserContextOptions } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsoleCalls } from '../../../main/desktop/console-calls.ts'
import { pages } from '../../../renderer/components/shell/pages.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import {
  consoleWalk,
  prepareWalk,
  visit,
  type Walk,
  walkThrough,
} from '../../support/pages/console-walk.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import type { WatchedPage } from '../../support/pages/watched-page.ts'

let over: ConsoleOverHttp
let watched: WatchedPage
let walk: Walk

const nameOf = (path: string): string => path.slice(1).replaceAll('/', '-') || 'overview'

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true })
  const gateway = createConsoleCalls(over.pair.gateway.parts)
  const ask: Walk['ask'] = async (name, input) => {
    const result = await gateway.call(name, input)
    if (!result.ok) throw new Error(result.error.message)
    return result.data as never
  }
  await prepareWalk({ ask })
  watched = await over.open('/')
  watched.page.on('response', (response) => {
    if (response.status() >= 400) watched.problems.push(`${response.status()} ${response.url()}`)
  })
  walk = { page: watched.page, base: over.pair.gateway.url, problems: watched.problems, ask }
})
afterAll(() => over?.close())

test('every page of the sidebar is walked', () => {
  // The step of Codes redeems one of them.
  const walked = [...consoleWalk.map(({ path }) => path), '/redeem']
  const listed = pages.filter(({ isInside }) => !isInside).map(({ path }) => path)
  expect(listed.filter((path) => !walked.includes(path))).toEqual([])
})

describe('in a browser', () => {
  test.each(consoleWalk)(
    '$path shows its page and does what it is for',
    async (step) => {
      try {
        await walkThrough(walk, step)
      } finally {
        await watched.picture(`walk-${nameOf(step.path)}`)
      }
    },
    30_000,
  )
})

const looks: { name: string; options: BrowserContextOptions }[] = [
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'narrow', options: { viewport: { width: 400, height: 800 } } },
  { name: 'chinese', options: { locale: 'zh-CN' } },
]

test.each(looks)(
  '$name: every page fits its window, with all that the walk left',
  async (look) => {
    const { page, picture, problems } = await over.open('/', look.options)
    const faults: string[] = []
    for (const step of consoleWalk) {
      const heading = look.name === 'chinese' ? /\p{Script=Han}/u : step.heading
      await visit({ page, base: walk.base }, { ...step, heading })
      await picture(`walk-${look.name}-${nameOf(step.path)}`)
      for (const fault of await pageFaults(page)) faults.push(`${step.path}: ${fault}`)
    }
    expect({ faults, problems }).toEqual({ faults: [], problems: [] })
  },
  60_000,
)
