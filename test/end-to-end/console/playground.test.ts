import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { modelOf } from '../../support/gateway/pair.ts'
import { axeFaults } from '../../support/pages/axe-faults.ts'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp()
})
afterAll(() => over?.close())

const piece = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const ending = [
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1423, completion_tokens: 88, total_tokens: 1511 } })}\n\n`,
  'data: [DONE]\n\n',
]

test('a reply is shown while it comes, and Stop ends the call at the vendor', async () => {
  const { page, picture, problems } = await over.open('/playground')
  over.pair.upstream.script({ chunks: [piece('Half an ans')], ending: 'hang' })
  await page.getByLabel('Message').fill('Tell me something long')
  await page.keyboard.press('Enter')
  const reply = page.getByRole('article', { name: modelOf.chat })
  await reply.getByText('Half an ans').waitFor()
  expect(await reply.getAttribute('aria-busy')).toBe('true')
  await picture('playground-streaming')
  await page.keyboard.press('Escape')
  await page.getByText('stopped', { exact: true }).waitFor()
  expect(await over.pair.upstream.last().ended).toBe('gone')

  over.pair.upstream.script({ chunks: [piece('All of '), piece('the answer.'), ...ending] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await reply.getByText('All of the answer.').waitFor()
  await page.getByText('1,423', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Open in inspector' }).count()).toBe(1)
  expect(problems).toEqual([])
})

test('Arabic around a word of Latin letters stands in its order, typed, sent, replied and inspected', async () => {
  const { page, problems } = await over.open('/playground')
  const arabic = 'مرحبا (GPT) كيف الحال!'
  /** Does the last sign stand left of the first? */
  const runsLeft = (element: Element) => {
    const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
    const leftOf = (at: number) => {
      const range = document.createRange()
      range.setStart(words, at)
      range.setEnd(words, at + 1)
      return range.getBoundingClientRect().left
    }
    return leftOf(words.length - 1) < leftOf(0)
  }
  over.pair.upstream.script({ chunks: [piece(arabic), ...ending] })
  const message = page.getByLabel('Message')
  await message.fill(arabic)
  expect(await message.evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe('plaintext')
  await page.keyboard.press('Enter')
  const said = page.getByText(arabic, { exact: true }).and(page.locator('article *'))
  await expect.poll(() => said.count()).toBe(2)
  for (const words of await said.all()) expect(await words.evaluate(runsLeft)).toBe(true)
  await page.getByRole('link', { name: 'Open in inspector' }).click()
  await page.getByRole('tab', { name: 'Answer' }).click()
  const read = page.getByRole('tabpanel').getByText(arabic, { exact: true })
  await read.waitFor()
  expect(await read.evaluate(runsLeft)).toBe(true)
  expect(problems).toEqual([])
})

test('a refusal stands in the reply in the vendor’s own words, and Try again asks once more', async () => {
  const sentence = 'You exceeded your current quota, please check your plan and billing details.'
  const refusal = {
    error: { message: sentence, type: 'insufficient_quota', code: 'insufficient_quota' },
  }
  const { page, picture, problemsBut } = await over.open('/playground')
  over.pair.upstream.script({ status: 429, body: refusal })
  await page.getByLabel('Message').fill('Hello')
  await page.keyboard.press('Enter')
  const card = page.getByRole('alert')
  await card.getByText(sentence).waitFor()
  expect(await card.textContent()).toContain('429')
  const id = await card.getByRole('button', { name: /Copy Request ID/ }).textContent()
  expect(over.pair.rowsOf(id ?? '')).toHaveLength(1)
  await picture('playground-refused')

  over.pair.upstream.script({ chunks: [piece('Now it works.'), ...ending] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Now it works.').waitFor()
  expect(await card.count()).toBe(0)
  expect(problemsBut(/status of 429/)).toEqual([])
})

test('a reply that the vendor cuts keeps what came and says so', async () => {
  const { page, picture, problems } = await over.open('/playground')
  over.pair.upstream.script({ chunks: [piece('The first half')], ending: 'cut' })
  await page.getByLabel('Message').fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Reply interrupted').waitFor()
  expect(await page.getByText('The first half').count()).toBe(1)
  await picture('playground-cut')
  expect(problems).toEqual([])
})

test('a reload keeps the conversation, and a message that was half typed', async () => {
  const { page, problems } = await over.open('/playground')
  over.pair.upstream.script({ chunks: [piece('Kept.'), ...ending] })
  await page.getByLabel('Message').fill('Remember this')
  await page.keyboard.press('Enter')
  await page.getByText('Kept.').waitFor()
  await page.getByText('1,423', { exact: true }).waitFor()
  await page.getByLabel('Message').pressSequentially('Half a sent')
  await page.reload()
  await page.getByText('Kept.').waitFor()
  expect(await page.getByLabel('Message').inputValue()).toBe('Half a sent')
  await page.getByRole('button', { name: 'Conversations' }).click()
  const list = page.getByRole('dialog', { name: 'Conversations' })
  await list.getByLabel('Search names, models and messages').fill('kept')
  const saved = page.waitForEvent('download')
  await list.getByRole('button', { name: 'Export “Remember this” as Markdown' }).click()
  expect((await saved).suggestedFilename()).toBe('Remember this.md')
  await list.getByRole('button', { name: 'Delete “Remember this”' }).click()
  await page.getByRole('button', { name: 'Delete conversation' }).last().click()
  await list.getByText('No conversations yet. Send a message to start one.').waitFor()
  await page.reload()
  await page.getByLabel('Message').waitFor()
  expect(await page.getByText('Kept.').count()).toBe(0)
  expect(problems).toEqual([])
})

test('four columns stream side by side, and Esc ends each call at the vendor', async () => {
  const { page, picture, problems } = await over.open('/playground')
  const { upstream } = over.pair
  for (let more = 0; more < 3; more++)
    await page.getByRole('button', { name: 'Add column' }).click()
  const before = upstream.requests.length
  const words = Array.from({ length: 200 }, (_, index) => piece(`word${index} `))
  for (let column = 0; column < 4; column++) {
    upstream.script({ chunks: words, pause: 10, ending: 'hang' })
  }
  await page.getByLabel('Message').fill('Tell me something long')
  await page
    .getByText(/^≈ \d+ tokens in$/)
    .nth(3)
    .waitFor()
  await picture('playground-estimate')
  await page.keyboard.press('Enter')
  await page
    .getByText(/word20 /)
    .nth(3)
    .waitFor()
  await picture('playground-columns')
  await page.keyboard.press('Escape')
  await page.getByText('stopped', { exact: true }).nth(3).waitFor()
  const asked = upstream.requests.slice(before)
  expect(asked).toHaveLength(4)
  expect(await Promise.all(asked.map(({ ended }) => ended))).toEqual(Array(4).fill('gone'))
  expect(await axeFaults(page)).toEqual([])
  expect(problems).toEqual([])
})

test('a banner above leaves the playground what is left of the window, and its page does not scroll', async () => {
  const { gateway } = over.pair
  gateway.set({ PausedSince: 1_790_000_000 })
  try {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 400, height: 700 },
    ]) {
      const { page, picture } = await over.open('/playground', { viewport })
      await page.getByText(/^Paused since/).waitFor()
      await page.getByLabel('Message').waitFor()
      const main = page.locator('#main')
      const hidden = () =>
        main.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
      await expect.poll(hidden).toBe(0)
      const box = await page.getByRole('button', { name: 'Send' }).boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(viewport.height)
      await picture(`playground-below-banner-${viewport.width}`)
    }
  } finally {
    gateway.set({ PausedSince: 0 })
  }
})

test('a button that is an icon alone has it in its middle', async () => {
  const { page } = await over.open('/playground', { viewport: { width: 900, height: 800 } })
  const button = page.getByRole('button', { name: 'Add column' })
  await button.waitFor()
  const offCentre = await button.evaluate((element) => {
    const middle = ({ left, width }: DOMRect) => left + width / 2
    const icon = element.querySelector('svg')
    return icon && middle(icon.getBoundingClientRect()) - middle(element.getBoundingClientRect())
  })
  expect(Math.abs(offCentre ?? 99)).toBeLessThanOrEqual(0.5)
})

test('a thought between tags stays folded after a reload, also in a reply that was kept with its tags', async () => {
  const { page, picture, problems } = await over.open('/playground')
  over.pair.upstream.script({
    chunks: [piece('<think>\nThey greet'), piece(' me.\n</think>\n\nGood morning.'), ...ending],
  })
  await page.getByLabel('Message').fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText('Good morning.').waitFor()
  const thought = page.getByRole('article').getByRole('group')
  await picture('playground-tagged-thought')
  await page.reload()
  await page.getByText('Good morning.').waitFor()
  await thought.filter({ hasText: 'They greet me.' }).waitFor({ state: 'attached' })
  // A page of the same origin without the console, which would write over it.
  await page.goto(`${over.pair.gateway.url}/api/status`)
  await page.evaluate(async () => {
    const [{ name } = { name: '' }] = await indexedDB.databases()
    const opening = indexedDB.open(name ?? '')
    await new Promise((resolve) => {
      opening.onsuccess = resolve
    })
    const kept = opening.result
      .transaction('conversations', 'readwrite')
      .objectStore('conversations')
    await new Promise<void>((resolve) => {
      kept.openCursor().onsuccess = ({ target }) => {
        const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result
        if (!cursor) return resolve()
        const record = JSON.stringify(cursor.value)
          .replace('"reasoning":"They greet me."', '"reasoning":""')
          .replace('"Good morning."', '"<think>They greeted.</think>Good morning."')
        cursor.update(JSON.parse(record))
        cursor.continue()
      }
    })
    opening.result.close()
  })
  await page.goto(`${over.pair.gateway.url}/console/playground`)
  await page.getByText('Good morning.', { exact: true }).waitFor()
  expect(await thought.textContent()).toContain('They greeted.')
  expect(problems).toEqual([])
})
