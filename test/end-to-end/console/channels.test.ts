import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { readFixture } from '../../support/recordings/fixtures.ts'

let over: ConsoleOverHttp

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true })
})
afterAll(() => over?.close())

test('a vendor is picked, its models are fetched and chosen, and the channel answers its test', async () => {
  const { page, picture, problemsBut } = await over.open('/channels')
  const { upstream } = over.pair
  await page.getByText('No channels yet').waitFor()
  await picture('channels-empty')
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  await page.getByLabel('Search vendors').fill('vllm')
  await picture('channels-vendors')
  await page.getByRole('button', { name: /vLLM/ }).click()
  await page.getByLabel('Channel key').fill('secret-key-of-the-vendor')
  await page.getByLabel('Base URL', { exact: true }).fill(`${upstream.url}/v1`)
  await page.getByText(`${upstream.url}/v1/chat/completions`).waitFor()

  upstream.script({ body: { data: [{ id: 'small-model' }, { id: 'large-model' }] } })
  await page.getByRole('button', { name: 'Fetch models' }).click()
  await page.getByRole('checkbox', { name: 'small-model' }).check()
  await picture('channels-fetched')
  await page.getByRole('button', { name: 'Use these models' }).click()
  await picture('channels-form')
  await page.getByRole('button', { name: 'Add channel', exact: true }).last().click()

  const testButton = page.getByRole('button', { name: 'Test channel vLLM' })
  await testButton.waitFor()
  upstream.script({
    body: readFixture('openai-chat/text.json'),
    headers: { 'content-type': 'application/json' },
  })
  await testButton.click()
  await page.getByText(/^Answered in \d+ ms\./).waitFor()
  await picture('channels-test-passed')

  const sentence = 'Incorrect API key provided: secr****ndor.'
  upstream.script({ status: 401, body: { error: { message: sentence, code: 'invalid_api_key' } } })
  await testButton.click()
  await page.getByRole('status').getByText(sentence).waitFor()
  await picture('channels-test-refused')
  expect(problemsBut(/Failed to load resource/)).toEqual([])
})
