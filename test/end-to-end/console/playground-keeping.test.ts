import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { modelOf } from '../../support/gateway/pair.ts'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp()
})
afterAll(() => over?.close())

const piece = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const reply = (content: string) => ({
  chunks: [
    piece(content),
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    'data: [DONE]\n\n',
  ],
})

async function say(page: Page, words: string, answer: string) {
  over.pair.upstream.script(reply(answer))
  await page.getByLabel('Message').fill(words)
  await page.keyboard.press('Enter')
  await page.getByText(answer).waitFor()
}

/** Runs a function over the page's stored files. */
const inFiles = (page: Page, mode: 'clear' | 'hold') =>
  page.evaluate(async (how) => {
    const [{ name } = { name: '' }] = await indexedDB.databases()
    const opening = indexedDB.open(name ?? '')
    await new Promise((resolve) => {
      opening.onsuccess = resolve
    })
    const files = opening.result.transaction('files', 'readwrite').objectStore('files')
    if (how === 'clear') {
      await new Promise((resolve) => {
        files.clear().onsuccess = resolve
      })
      opening.result.close()
      return
    }
    // A transaction that writes keeps all others waiting for as long as it asks for more.
    const state = { isHeld: true }
    Reflect.set(globalThis, 'held', state)
    const again = () => {
      if (state.isHeld) files.count().onsuccess = again
    }
    again()
  }, mode)

const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') }

async function attach(page: Page) {
  await page.locator('input[type=file]').setInputFiles(note)
  await page.getByRole('button', { name: 'Remove note.txt' }).waitFor()
}

for (const [how, withLocks] of [
  ['', true],
  [' also where the browser has no locks', false],
] as const) {
  test(`two tabs never write the same conversation: the second has one of its own${how}`, async () => {
    const { page, context, problems } = await over.open('/playground')
    if (!withLocks) {
      // No other test may get such a page.
      onTestFinished(() => context.close())
      await context.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })")
      await page.reload()
    }
    await say(page, 'Of the first tab', 'One.')
    await page.getByLabel('Message').fill('Half of the first')
    const second = await context.newPage()
    await second.goto(`${over.pair.gateway.url}/console/playground`)
    await say(second, 'Of the second tab', 'Two.')
    expect(await second.getByText('One.').count()).toBe(0)
    await second.getByLabel('Message').fill('Half of the second')

    await second.getByRole('button', { name: 'Conversations' }).click()
    await second.getByRole('button', { name: /^Of the first tab/ }).click()
    await second.getByText('The conversation is open in another tab. This is a copy.').waitFor()
    await say(second, 'To the copy', 'Three.')
    await say(page, 'To the original', 'Four.')
    await page.reload()
    await page.getByText('Four.').waitFor()
    expect(await page.getByText('Three.').count()).toBe(0)
    await second.reload()
    await second.getByText('Three.').waitFor()
    expect(await second.getByText('Four.').count()).toBe(0)
    await page.getByRole('button', { name: 'Conversations' }).click()
    const list = page.getByRole('dialog', { name: 'Conversations' })
    await expect.poll(() => list.getByRole('button', { name: /^Of the first tab/ }).count()).toBe(2)
    await list.getByRole('button', { name: /^Of the second tab/ }).click()
    await page.getByText('Two.').waitFor()
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Half of the second')

    await second.getByRole('button', { name: 'New conversation' }).click()
    await second.getByLabel('Message').fill('Not sent by the second')
    // Without locks a tab takes 400 ms to have its conversation.
    await second.waitForTimeout(600)
    await page.getByRole('button', { name: 'Conversations' }).click()
    await list.getByRole('button', { name: /^Not sent by the second/ }).click()
    await page.getByText('The conversation is open in another tab. This is a copy.').waitFor()
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Not sent by the second')
    await say(page, 'Sent as a copy', 'Five.')
    expect(await page.getByLabel('Conversation name').inputValue()).toBe('Sent as a copy')
    expect(problems).toEqual([])
  })
}

test('what is done with one of two columns stands in one line with its model, wide and narrow', async () => {
  const { page } = await over.open(`/playground?model=${modelOf.chat}`)
  await page.getByRole('button', { name: 'Add column' }).click()
  const column = page.getByRole('region', { name: 'Column 2' })
  for (const width of [1280, 400]) {
    await page.setViewportSize({ width, height: 850 })
    const boxes = await Promise.all(
      ['Keep only this column', 'Remove column 2'].map((name) =>
        column.getByRole('button', { name }).boundingBox(),
      ),
    )
    const [keep, remove] = boxes.map((box) => (box ? box.y + box.height / 2 : 0))
    expect(Math.abs((keep ?? 0) - (remove ?? 0))).toBeLessThan(4)
  }
})

test('a reload keeps a turn that was half edited, and the model of the column that was kept', async () => {
  const { page, problems } = await over.open(`/playground?model=${modelOf.chat}`)
  await page.getByRole('button', { name: 'Add column' }).click()
  await page.getByRole('combobox', { name: 'Model of column 2' }).click()
  await page.getByRole('option', { name: modelOf.messages }).click()
  await page.getByRole('button', { name: 'Keep only this column' }).last().click()
  await page.waitForURL(new RegExp(`model=${modelOf.messages}`))
  await page.reload()
  await page.getByText(`Talk to ${modelOf.messages}`).waitFor()
  expect(await page.getByRole('region', { name: 'Column 2' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  await page.goto(`${over.pair.gateway.url}/console/playground?model=${modelOf.chat}`)
  await say(page, 'Hello', 'Kept.')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Edit' }).fill('Hello, half')
  await page.reload()
  await page.getByText('Kept.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Edit' }).inputValue()).toBe('Hello, half')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await page.getByText('Kept.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Edit' }).count()).toBe(0)
  expect(problems).toEqual([])
})

test('Esc while files are read sends nothing, and of two asks in that time one is sent', async () => {
  const { page, problems } = await over.open(`/playground?model=${modelOf.chat}`)
  const { upstream } = over.pair
  await attach(page)
  await say(page, 'Look', 'A note it is.')
  await page.reload()
  await page.getByText('A note it is.').waitFor()
  const before = upstream.requests.length
  await inFiles(page, 'hold')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Waiting for the first token…').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('stopped', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Edit' }).fill('Look again')
  upstream.script(reply('Still a note.'))
  await page.getByRole('button', { name: 'Send edited' }).click()
  await page.getByText('Waiting for the first token…').waitFor()
  await page.evaluate('globalThis.held.isHeld = false')
  await page.getByText('Still a note.').waitFor()
  await page.waitForTimeout(300)
  const asked = upstream.requests.slice(before)
  expect(asked).toHaveLength(1)
  expect(JSON.stringify(asked[0]?.json())).toContain('Look again')
  await page.getByRole('button', { name: 'Earlier version' }).first().click()
  expect(await page.locator('[aria-busy=true]').count()).toBe(0)
  expect(problems).toEqual([])
})

test('a file that is gone is named, and nothing is sent without it', async () => {
  const { page, problems } = await over.open(`/playground?model=${modelOf.chat}`)
  await attach(page)
  await say(page, 'Look', 'Another note.')
  await inFiles(page, 'clear')
  await page.reload()
  await page.getByText('Another note.').waitFor()
  const before = over.pair.upstream.requests.length
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('The file note.txt is gone from this browser').waitFor()
  expect(over.pair.upstream.requests).toHaveLength(before)
  await page.getByRole('button', { name: 'cURL', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'This request as cURL' })
  await dialog.getByText('The file note.txt is gone from this browser').waitFor()
  expect(problems).toEqual([])
})

test('a browser without room says so, and what is typed can still be sent', async () => {
  const { page, problems } = await over.open(`/playground?model=${modelOf.chat}`)
  await page.getByLabel('Message').waitFor()
  // As a browser that finds no room when a transaction is committed.
  await page.evaluate(() => {
    const { commit } = IDBTransaction.prototype
    Reflect.set(globalThis, 'commit', commit)
    IDBTransaction.prototype.commit = function abort() {
      this.abort()
    }
  })
  await page.getByLabel('Message').fill('x'.repeat(200_000))
  await page.getByText('This browser has no room left: what’s new is lost').waitFor()
  const name = 'big.txt'
  const buffer = Buffer.alloc(400_000, 'text ')
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer })
  await page.getByText('This browser has no room left for big.txt.').waitFor()
  await say(page, 'Short', 'Short too.')
  await page.evaluate('IDBTransaction.prototype.commit = globalThis.commit')
  await page.getByLabel('Message').fill('There is room again')
  await page
    .getByText('This browser has no room left: what’s new is lost')
    .waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

test('four columns stand side by side beside the parameters at 1280 px; on a phone those are closed', async () => {
  const { page, picture } = await over.open(`/playground?model=${modelOf.chat}`)
  for (let more = 0; more < 3; more++) {
    await page.getByRole('button', { name: 'Add column' }).click()
  }
  const columns = page.getByRole('region', { name: /^Column \d$/ })
  const panel = page.getByRole('complementary', { name: 'Parameters' })
  const edge = (await panel.boundingBox())?.x ?? 0
  for (let index = 0; index < 4; index++) {
    const box = await columns.nth(index).boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(edge + 1)
  }
  await say(page, 'Hello', 'Side by side.')
  await picture('playground-four-columns')
  // Above the columns they would take their place.
  await page.setViewportSize({ width: 900, height: 800 })
  await panel.waitFor({ state: 'detached' })
  await picture('playground-900')
  await page.getByRole('button', { name: 'Parameters', exact: true }).click()
  await panel.waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await panel.waitFor()

  const phone = await over.open('/playground', { viewport: { width: 390, height: 800 } })
  await phone.page.getByLabel('Message').waitFor()
  expect(await phone.page.getByRole('complementary', { name: 'Parameters' }).count()).toBe(0)
  await phone.picture('playground-phone')
})

test('on a phone the Tab key brings the next column into sight, not a part of it', async () => {
  const phone = { width: 390, height: 800 }
  const { page } = await over.open(`/playground?model=${modelOf.chat}`, { viewport: phone })
  await page.getByRole('button', { name: 'Add column' }).click()
  const next = page.getByRole('region', { name: 'Column 2' })
  const picker = next.getByLabel('Model of column 2')
  await page.getByRole('button', { name: 'Remove column 1' }).focus()
  const isReached = () => picker.evaluate((one) => one === document.activeElement)
  for (let steps = 0; steps < 5 && !(await isReached()); steps++) await page.keyboard.press('Tab')
  expect(await isReached()).toBe(true)
  await expect
    .poll(async () => {
      const { x, width } = (await next.boundingBox()) ?? { x: 0, width: Infinity }
      return x >= 0 && x + width <= phone.width + 1
    })
    .toBe(true)
})

test('a conversation whose model is gone keeps it and says so: no other model answers unasked', async () => {
  const { parts } = over.pair.gateway
  const echo = { type: 900, name: 'Soon gone', key: '', models: ['soon-gone'] }
  const { id } = over.pair.gateway.addChannel(echo)
  const { page } = await over.open('/playground?model=soon-gone')
  await page.getByLabel('Message').fill('Are you there?')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'soon-gone' }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  parts.channels.update(id, { status: 2 })
  await page.goto(`${over.pair.gateway.url}/console/playground`)
  await page.getByText('No enabled channel lists this model. Choose another.').waitFor()
  const picker = page.getByRole('combobox', { name: 'Model' })
  expect(await picker.textContent()).toContain('soon-gone')
  await picker.click()
  await page.getByRole('option').first().click()
  await page.getByText('No enabled channel lists this model. Choose another.').waitFor({
    state: 'detached',
  })
})

test('a long reply stands there plain at once after a reload, then as Markdown, with its end in sight', async () => {
  const { page, problems } = await over.open('/playground')
  const parts = Array.from(
    { length: 400 },
    (_, part) => `## Part ${part}\n\nSome **bold** words.\n`,
  )
  over.pair.upstream.script(reply(parts.join('\n')))
  await page.getByLabel('Message').fill('Tell me a lot.')
  await page.keyboard.press('Enter')
  const end = page.getByRole('heading', { name: 'Part 399' })
  await end.waitFor()
  await page.addInitScript(() => {
    const texts: string[] = []
    Reflect.set(globalThis, 'plain', texts)
    new MutationObserver(() => {
      const text = document.querySelector('article p')?.textContent ?? ''
      if (text.startsWith('## Part 0')) texts.push(text)
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await end.waitFor()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'plain').at(0))).toContain('## Part 399')
  expect(await page.getByRole('heading', { name: /^Part/ }).count()).toBe(400)
  await expect
    .poll(() =>
      page.evaluate(() => {
        const log = document.querySelector('[role="log"]')
        return log ? log.scrollHeight - log.scrollTop - log.clientHeight : -1
      }),
    )
    .toBeLessThan(2)
  expect(problems).toEqual([])
})
