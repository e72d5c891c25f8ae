import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unixSeconds } from '../../../main/base/clock.ts'
import type { CallRow } from '../../../main/store/ledger/ledger.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { modelOf } from '../../support/gateway/pair.ts'
import { axeFaults } from '../../support/pages/axe-faults.ts'
import { pageFaults } from '../../support/pages/page-faults.ts'

let over: ConsoleOverHttp

const seeded = 3000
/** A second each, the last of them an hour ago. */
const start = unixSeconds() - 3600 - seeded

const record = (number: number, fields: Partial<CallRow> = {}, other: object = {}) =>
  over.pair.gateway.parts.ledger.record({
    ...{ requestId: `seeded-${number}`, createdAt: start + number, type: 2, userId: 1 },
    ...{ username: 'owner', tokenId: 1, tokenName: 'claude-code', channelId: 1 },
    ...{ channelName: 'Work laptop', model: `model-${number % 3}`, group: 'default' },
    ...{ ip: '127.0.0.1', content: '', quota: number, promptTokens: 1000 + number },
    ...{ completionTokens: 20, useTime: 1000 + number, isStream: true, status: 200 },
    ...{ cachedTokens: 0, isUnpriced: false, isEstimated: false, ...fields },
    other: JSON.stringify({
      ...{ request_path: '/v1/messages', wire_format: 'messages', frt: 640 },
      ...{ cache_tokens: 0, model_ratio: 1.5, completion_ratio: 5, ...other },
      admin_info: { use_channel: ['1'] },
    }),
  })

beforeAll(async () => {
  over = await startConsoleOverHttp()
  over.pair.gateway.addChannel({ type: 900, name: 'Echo', key: '', models: ['echo'] })
  for (let number = 0; number < seeded; number++) await record(number)
  await record(
    seeded,
    { content: 'It broke off.' },
    { error_code: 'upstream_cut', estimated: true },
  )
})
afterAll(() => over?.close())

const rows = (page: Page) => page.locator('tr[data-row]')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const query = (page: Page) => page.getByRole('combobox', { name: 'Filter calls' })
const searchOf = (page: Page) => new URL(page.url()).searchParams

const callEcho = () =>
  over.pair.send('/v1/chat/completions', {
    body: { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] },
  })

test('three thousand rows scroll to their end, and only those in sight are drawn', async () => {
  const { page, problems } = await over.open('/calls')
  await rows(page).first().waitFor()
  const heights = await rows(page).evaluateAll((all) =>
    all.slice(0, 20).map((row) => row.getBoundingClientRect().height),
  )
  expect(new Set(heights)).toEqual(new Set([28]))
  const viewport = page.locator('[data-call-list] > :has(> table)')
  const last = rowOf(page, '1,000').and(page.locator('[data-row]'))
  await expect
    .poll(
      async () => {
        await viewport.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return last.count()
      },
      { timeout: 90_000 },
    )
    .toBe(1)
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(`${seeded + 2}`)
  expect(await rows(page).count()).toBeLessThan(120)
  expect(problems).toEqual([])
}, 120_000)

test('times of another day and long figures stand whole in their columns', async () => {
  const { page, problems } = await over.open('/calls?q=model:figures')
  await record(seeded + 1, {
    ...{ model: 'figures', createdAt: unixSeconds() - 26 * 3600, useTime: 754_000 },
    ...{ promptTokens: 123_456_789, completionTokens: 12_345_678, quota: 617_283_500 },
  })
  await page.reload()
  for (const language of ['en', 'zh']) {
    const row = rowOf(page, '123,456,789')
    await row.waitFor()
    const cut = await row
      .locator('td:first-child, td.numeric')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      )
    expect(cut, language).toEqual([])
    if (language === 'zh') break
    await page.evaluate(() => localStorage.setItem('switchyard-language', 'zh-CN'))
    await page.reload()
  }
  expect(problems).toEqual([])
})

test.each([
  ['gpt-4o', { cache_tokens: 400, asked_model: 'smart', estimated: true }],
  ['claude-fable-5-at-a-vendor-with-a-long-name', { cache_tokens: 400 }],
])('beside the panel badges give way before the name %s does', async (model, other) => {
  await record(seeded + 2, { requestId: model, model, promptTokens: 1000 }, other)
  const { page, problems } = await over.open(`/calls?q=model:${model}&open=${model}`)
  const name = rowOf(page, model).getByTitle(model, { exact: true })
  await name.waitFor()
  await page.getByRole('tab', { name: 'Usage' }).waitFor()
  const isCut = await name.evaluate(({ firstElementChild: text, clientWidth, parentElement }) => {
    const isWhole = text !== null && text.scrollWidth <= text.clientWidth
    return !isWhole && clientWidth < (parentElement?.clientWidth ?? 0) - 1
  })
  expect(isCut).toBe(false)
  expect(problems).toEqual([])
})

test('beside the panel the name gives way to the count of the losses', async () => {
  const model = 'claude-opus-5'
  const loss = Array.from({ length: 12 }, (_, index) => ({ path: `f${index}`, kind: 'dropped' }))
  await record(seeded + 3, { requestId: model, model }, { loss })
  const { page, problems } = await over.open(`/calls?q=model:${model}&open=${model}`)
  const badge = rowOf(page, model).getByText('−12', { exact: true })
  await page.getByRole('tab', { name: 'Usage' }).waitFor()
  const top = await badge.evaluate((one) => one.getBoundingClientRect().top)
  expect(top - ((await rowOf(page, model).boundingBox())?.y ?? 0)).toBeLessThan(20)
  expect(problems).toEqual([])
})

test('a link to a row further down opens the list at that row', async () => {
  const { page, problemsBut } = await over.open('/calls?open=seeded-2900')
  const open = page.locator('tr[data-row][aria-selected="true"]')
  await open.waitFor()
  const place = await open.evaluate((row) => {
    const list = row.closest('[data-call-list] > *')?.getBoundingClientRect()
    const { top, bottom } = row.getBoundingClientRect()
    return { isBelowHead: top >= (list?.top ?? 0) + 28, isWhole: bottom <= (list?.bottom ?? 0) }
  })
  expect(place).toEqual({ isBelowHead: true, isWhole: true })
  expect(problemsBut(/status of 404/)).toEqual([])
})

describe('the query bar', () => {
  test('completes a field and its value, and filters by the URL’s query after a reload', async () => {
    const { page, picture, problems } = await over.open('/calls')
    await rows(page).first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('chan')
    await page.getByRole('option', { name: /^channel:/ }).click()
    await page.getByRole('option', { name: /Work laptop/ }).waitFor()
    await picture('calls-completion')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('status:502')
    await page.keyboard.press('Enter')
    await page.getByText('No call matches').waitFor()
    expect(searchOf(page).get('q')).toBe('channel:"Work laptop" status:502')
    await query(page).fill('model:model-1 cost:<0.00001')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(2)
    expect(await query(page).inputValue()).toBe('model:model-1 cost:<0.00001')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => rows(page).count()).toBeGreaterThan(20)
    expect(problems).toEqual([])
  })

  test('a wrong term is underlined, and the reason stands below', async () => {
    const { page, problemsBut } = await over.open('/calls?q=model:a+slow:soon')
    const alert = page.getByRole('alert')
    await alert.getByText('slow:soon').waitFor()
    expect(await alert.textContent()).toContain('a time such as >5s')
    expect(await page.locator('mark').textContent()).toBe('slow:soon')
    await query(page).fill('model:a')
    await page.keyboard.press('Enter')
    await expect.poll(() => alert.count()).toBe(0)
    expect(problemsBut(/status of 400/)).toEqual([])
  })

  test('a value that is clicked becomes a filter', async () => {
    const { page } = await over.open('/calls')
    await rows(page).first().getByRole('button', { name: 'claude-code' }).click()
    await expect.poll(() => searchOf(page).get('q')).toBe('token:claude-code')
    await rows(page).first().getByRole('gridcell').first().click()
    await page.getByRole('complementary').getByRole('button', { name: '/v1/messages' }).click()
    await expect.poll(() => searchOf(page).get('q')).toBe('token:claude-code path:/v1/messages')
  })
})

test('the list stands still while a row is open or it is scrolled, and shows what is new on a click', async () => {
  const { page, picture, problems } = await over.open('/calls')
  const first = rows(page).first()
  await first.waitFor()
  // The row's own time, to the second.
  const timeAt = (index: number) =>
    rows(page).nth(index).getByRole('gridcell').first().textContent()
  const before = await timeAt(2)
  await first.getByRole('gridcell').first().click()
  await callEcho()
  await callEcho()
  const news = page.getByRole('button', { name: '2 new' })
  await news.waitFor()
  await picture('calls-news')
  expect(await timeAt(2)).toBe(before)
  await news.click()
  await expect.poll(() => timeAt(4)).toBe(before)
  await page.keyboard.press('Escape')

  const viewport = page.locator('[data-call-list] > :has(> table)')
  // The page hears of the scrolling a frame later.
  await viewport.evaluate((element) => element.scrollTo(0, 2800))
  await expect.poll(() => rows(page).first().getAttribute('data-row')).not.toBe('0')
  await callEcho()
  await page.getByRole('button', { name: '1 new' }).waitFor()
  expect(await viewport.evaluate((element) => element.scrollTop)).toBe(2800)
  await viewport.evaluate((element) => element.scrollTo(0, 0))
  await expect.poll(() => timeAt(5)).toBe(before)
  expect(await page.getByRole('button', { name: / new$/ }).count()).toBe(0)
  expect(problems).toEqual([])
})

test('a call under way ticks, and Stop ends it and books what came', async () => {
  const { upstream, send } = over.pair
  const event = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
  upstream.script({ chunks: Array.from({ length: 400 }, () => event('again ')), pause: 100 })
  const { page, problems } = await over.open('/calls')
  await rows(page).first().waitFor()
  const body = {
    model: modelOf.chat,
    stream: true,
    messages: [{ role: 'user', content: 'Count' }],
  }
  const answer = send('/v1/chat/completions', { body }).catch(() => null)
  const running = rowOf(page, modelOf.chat)
  const stop = running.getByRole('button', { name: /^Stop call to chat-model, / })
  await stop.waitFor()
  await expect.poll(() => running.textContent()).toMatch(/[2-9] s/)
  await stop.click()
  await running.getByRole('img', { name: 'The stream was cut before its end.' }).waitFor()
  expect(await stop.count()).toBe(0)
  await answer
  expect(problems).toEqual([])
})

test('a refused request says why, and what to change', async () => {
  await over.pair.send('/v1/v1/messages', { body: {} })
  const { page, picture } = await over.open('/calls?q=refused:yes')
  const row = rowOf(page, '/v1/v1/messages')
  await row.getByText('refused', { exact: true }).waitFor()
  expect(await row.textContent()).toContain('take /v1 off its base URL')
  await row.getByRole('gridcell').first().click()
  const panel = page.getByRole('complementary')
  await panel.getByText('take /v1 off its base URL').first().waitFor()
  await picture('calls-refused')
})

describe('the panel', () => {
  test('leaves the Stop button of a call under way whole', async () => {
    over.pair.upstream.script({ chunks: [': begun\n\n'], ending: 'hang' })
    const body = { model: modelOf.chat, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const call = over.pair.send('/v1/chat/completions', { body })
    // Beside an open call the list stands still: the one under way has to be there before.
    await expect.poll(() => over.pair.gateway.parts.openCalls.size).toBe(1)
    const { page } = await over.open(`/calls?open=seeded-${seeded}`)
    const stop = page.getByRole('button', { name: /^Stop / })
    await stop.waitFor()
    const hidden = await stop.evaluate((element) => {
      const label = element.querySelector('.mantine-Button-label')
      return label && label.scrollWidth - label.clientWidth
    })
    expect(hidden).toBe(0)
    await stop.click()
    await call
  })

  test('opens, moves, changes tabs and closes by the keyboard alone', async () => {
    const { page, problems } = await over.open('/calls?q=id:seeded-299')
    await rows(page).first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary')
    const name = () => panel.getAttribute('aria-label')
    await expect.poll(name).toBe('Call seeded-2998')
    await page.keyboard.press('j')
    await expect.poll(name).toBe('Call seeded-2997')
    await page.keyboard.press('ArrowUp')
    await expect.poll(name).toBe('Call seeded-2998')
    await page.keyboard.press('7')
    await panel.getByRole('tab', { name: 'Usage', selected: true }).waitFor()
    expect(Object.fromEntries(searchOf(page))).toMatchObject({ open: 'seeded-2998', tab: 'usage' })

    const line = page.getByRole('separator', { name: 'Width of the panel' })
    const width = async () => (await panel.boundingBox())?.width ?? 0
    const before = await width()
    await line.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(width).toBe(before - 24)
    await rows(page).nth(1).focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => panel.count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe('1')
    expect(problems).toEqual([])
  })

  test('lies over the list in a narrow window, and gives the focus back to its row', async () => {
    const viewport = { width: 800, height: 800 }
    const { page, picture, problems } = await over.open('/calls', { viewport })
    await rows(page).nth(3).getByRole('gridcell').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Route' }).waitFor()
    await picture('calls-over')
    expect(await pageFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-row')))
      .toBe('3')
    expect(problems).toEqual([])
  })

  test('shows the call of an old link that the list doesn’t hold', async () => {
    const { page } = await over.open('/calls?open=seeded-7')
    const panel = page.getByRole('complementary', { name: 'Call seeded-7' })
    await panel.getByRole('button', { name: 'Copy Request ID seeded-7' }).waitFor()
    await panel.getByRole('tab', { name: 'Usage' }).click()
    await panel.getByText('$3.00').waitFor()
  })
})

test('the completions have no fault, and the panel fits windows beside and below its break', async () => {
  const { page } = await over.open('/calls')
  await rows(page).first().waitFor()
  await query(page).click()
  await page.getByRole('option').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.goto(`${over.pair.gateway.url}/console/calls?open=seeded-${seeded}&tab=usage`)
  await page.getByRole('tab', { name: 'Usage', selected: true }).waitFor()
  for (const width of [1100, 800]) {
    await page.setViewportSize({ width, height: 800 })
    await page.getByRole('tab', { name: 'Usage', selected: true }).waitFor()
    // It follows its window's new width a moment later.
    await expect.poll(() => pageFaults(page), { message: `${width}` }).toEqual([])
  }
})
