import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsoleCalls } from '../../../main/desktop/console-calls.ts'
import { pages } from '../../../renderer/components/shell/pages.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { consoleWalk } from '../../support/pages/console-walk.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'
import { prepareWalk, visit, type Walk, walkThrough } from '../../support/pages/walk-through.ts'
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
  test.each(consoleWalk)('$path shows its page and does what it is for', async (step) => {
    try {
      await walkThrough(walk, step)
    } finally {
      await watched.picture(`walk-${nameOf(step.path)}`)
    }
  })
})

test('in Chinese every page fits its window, with all that the walk left', async () => {
  const { page, picture, problems } = await over.open('/', { locale: 'zh-CN' })
  const faults: string[] = []
  for (const { path } of consoleWalk) {
    await visit({ page, base: walk.base }, { path, heading: /\p{Script=Han}/u })
    await picture(`walk-chinese-${nameOf(path)}`)
    for (const fault of await pageFaults(page)) faults.push(`${path}: ${fault}`)
  }
  expect({ faults, problems }).toEqual({ faults: [], problems: [] })
})
