import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { startUpstream } from '../upstreams/scripted-upstream.ts'

export const RIGHT = 'sk-right-0123456789abcdef'
const SENTENCE = 'Incorrect API key provided. Find your key at the page of your account.'

const completion = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'small-mini' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

export interface FirstPlace {
  /** Home of a person who has Claude Code. */
  home: string
  /** Its vendor: one model, and one key that it takes. */
  vendorUrl: string
}

/** What somebody has before the gateway's first start; gone after the test. */
export async function firstPlace(): Promise<FirstPlace> {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-first-walk-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude/settings.json'), '{ "theme": "dark" }\n')
  const vendor = await startUpstream(({ headers, url }) => {
    if (headers.authorization !== `Bearer ${RIGHT}`) {
      return { status: 401, body: { error: { message: SENTENCE } } }
    }
    return { body: url === '/v1/models' ? { data: [{ id: 'small-mini' }] } : completion }
  })
  onTestFinished(() => vendor.close())
  return { home, vendorUrl: vendor.url }
}

/** One call as Claude Code makes it, by nothing but its file. */
async function callAsTool(home: string): Promise<number> {
  const { env } = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'))
  const answer = await fetch(`${env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${env.ANTHROPIC_AUTH_TOKEN}`,
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      'user-agent': 'claude-cli/2.1.197 (external, cli)',
    },
    body: JSON.stringify({
      ...{ model: env.ANTHROPIC_MODEL, max_tokens: 20 },
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  })
  return answer.status
}

/**
 * The way of somebody who knows nothing of it, from the first page to the first call of a tool in Calls: owner, vendor
 * with a key that is wrong and then right, tool. Gives the names of what was clicked. `look` is called at each stop.
 */
export async function firstWalk(
  page: Page,
  { home, vendorUrl }: FirstPlace,
  { password = '', look }: { password?: string; look(stop: string): Promise<void> },
): Promise<string[]> {
  const clicks: string[] = []
  const click = async (role: 'button' | 'link', name: string | RegExp) => {
    const target = page.getByRole(role, { name }).first()
    await target.waitFor()
    clicks.push(
      (await target.getAttribute('aria-label')) ??
        ((await target.textContent()) ?? '').replace(/\s+/g, ' '),
    )
    await target.click()
  }
  // The cursor stands in the first field.
  await page.getByLabel('User name').waitFor()
  await page.keyboard.type('ada')
  for (const word of password === '' ? [] : [password, password]) {
    await page.keyboard.press('Tab')
    if (!(await page.evaluate(() => document.activeElement instanceof HTMLInputElement)))
      await page.keyboard.press('Tab')
    await page.keyboard.type(word)
  }
  await look('owner')
  await click('button', 'Create owner')
  await click('button', 'Choose a vendor')
  await look('vendor')
  await click('button', /OpenAI.*api\.openai\.com/)
  // Only the test needs another address than the vendor's.
  await page.getByLabel('Base URL', { exact: true }).fill(vendorUrl)
  await page.getByLabel('Channel key').fill('sk-wrong-0123456789abcdef')
  await click('button', 'Check and add')
  await page.getByRole('alert').filter({ hasText: SENTENCE }).waitFor()
  await look('refused')
  await page.getByLabel('Channel key').fill(RIGHT)
  await click('button', 'Check and add')
  await page.getByText(/^OpenAI works: small-mini answered in /).waitFor()
  await look('tools')
  const playground = page.getByRole('link', { name: 'Try it in the playground' })
  expect(await playground.getAttribute('href')).toBe('/console/playground')
  await click('link', 'Connect Claude Code')
  const drawer = page.getByRole('dialog', { name: 'Connect Claude Code' })
  await drawer.locator('ins').filter({ hasText: 'ANTHROPIC_BASE_URL' }).waitFor()
  await look('change')
  await click('button', 'Apply')
  await drawer.getByText('Waiting for its first call…').waitFor()
  expect(await callAsTool(home)).toBe(200)
  await drawer.getByText(/^First call at/).waitFor()
  await click('link', 'Show calls')
  await page.getByRole('row').filter({ hasText: 'Claude Code' }).first().waitFor()
  await look('calls')
  return clicks
}
