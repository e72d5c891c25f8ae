import { expect, test, beforeAll, afterAll } from 'vitest'
import {
  addInspectedChannels,
  type InspectedCalls,
  inspectedVendor,
  makeInspectedCalls,
} from '../../support/captures/inspected-calls.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'

let over: ConsoleOverHttp
let ids: InspectedCalls

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true, handler: inspectedVendor })
  addInspectedChannels(over.pair)
  ids = await makeInspectedCalls(over.pair)
}, 60_000)
afterAll(() => over?.close())

test('look', async () => {
  for (const [name, id] of Object.entries(ids)) {
    const { page, picture, problems } = await over.open(`/calls?open=${id}`, { viewport: { width: 1280, height: 1500 } })
    await page.getByRole('tab', { name: 'Timeline' }).waitFor({timeout: 5000}).catch(() => {})
    for (const tab of ['Timeline', 'Request', 'Answer', 'Stream', 'Headers', 'Other formats']) {
      if (await page.getByRole('tab', { name: tab }).count() === 0) { console.log('no tab', name, id); await picture(`insp-${name}-none`); break }
      await page.getByRole('tab', { name: tab }).click()
      await page.waitForTimeout(500)
      await page.getByRole('tablist').scrollIntoViewIfNeeded()
      await picture(`insp-${name}-${tab}`)
    }
    console.log(name, problems)
  }
}, 120_000)
