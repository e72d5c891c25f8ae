import { afterAll, beforeAll, expect, test } from 'vitest'
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
  await page.getByRole('button', { name: 'Stop' }).click()
  await reply.getByText('stopped').waitFor()
  expect(await over.pair.upstream.last().ended).toBe('gone')

  over.pair.upstream.script({ chunks: [piece('All of '), piece('the answer.'), ...ending] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await reply.getByText('All of the answer.').waitFor()
  await reply.getByText('1,423 in · 88 out').waitFor()
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
