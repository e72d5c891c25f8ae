import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'
import { axeFaults } from '../../support/pages/axe-faults.ts'
import { goWithin } from '../../support/pages/go-within.ts'

let over: ConsoleOverHttp
const folder = mkdtempSync(join(tmpdir(), 'switchyard-curl-'))

// By its name the page offers everything for it; what answers is the scripted vendor.
const model = 'echo'

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true })
  const { gateway, upstream } = over.pair
  gateway.addChannel({ type: 1, name: 'Vendor', baseUrl: upstream.url, models: [model] })
})
afterAll(async () => {
  await over?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A picture of one dot. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const json = { 'content-type': 'application/json' }

/** One second of silence: 24 000 samples of 16 bits. */
function silence(): Buffer {
  const head =
    'RIFF\xa4\xbb\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\xc0\x5d\0\0\x80\xbb\0\0\x02\0\x10\0data\x80\xbb\0\0'
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(48_000)])
}

/** Runs the command that the page shows, in a real shell with a real key; gives what cURL wrote. */
async function runCurl(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'cURL', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'This request as cURL' })
  const command = (await dialog.locator('pre').textContent()) ?? ''
  expect(await axeFaults(page, '[role=dialog]')).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const env = { PATH: process.env.PATH, SWITCHYARD_KEY: over.pair.gateway.key }
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env })
  return stdout
}

test('a picture is drawn, and its cURL command makes the very same call', async () => {
  const { page, picture, problems } = await over.open(`/playground?mode=image&model=${model}`)
  const { upstream } = over.pair
  const reply = { body: { created: 1, data: [{ b64_json: pixel }] }, headers: json }
  const prompt = `A fox's "den", $5 & more \\ at dusk`
  upstream.script(reply)
  await page.getByLabel('Prompt').fill(prompt)
  await page.getByRole('button', { name: 'Generate' }).click()
  const drawn = page.getByRole('button', { name: 'Enlarge: Image 1' })
  const width = () =>
    drawn.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)
  await expect.poll(width).toBe(1)
  const sent = upstream.last().json()
  expect(sent).toEqual({ model, prompt })
  await picture('playground-image')

  upstream.script(reply)
  expect(JSON.parse(await runCurl(page))).toHaveProperty('data')
  expect(upstream.last().json()).toEqual(sent)
  await page.reload()
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe(prompt)
  expect(problems).toEqual([])
})

test('speech can be played and saved', async () => {
  const { page, picture, problems } = await over.open(`/playground?mode=speech&model=${model}`)
  over.pair.upstream.script({ body: silence(), headers: { 'content-type': 'audio/wav' } })
  await page.getByLabel('Text').fill('Hush')
  await page.getByRole('button', { name: 'Speak' }).click()
  const player = page.getByLabel('Generated speech')
  await player.waitFor()
  await expect
    .poll(() => player.evaluate((element) => (element as HTMLAudioElement).duration))
    .toBeCloseTo(1, 1)
  await picture('playground-speech')
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download speech.wav' }).click()
  expect((await saving).suggestedFilename()).toBe('speech.wav')
  expect(problems).toEqual([])
})

test('a picked recording is transcribed, and its cURL command sends the same form', async () => {
  const { page, picture, problems } = await over.open(
    `/playground?mode=transcription&model=${model}`,
  )
  const { upstream } = over.pair
  const name = 'Tuesday; part 1.wav'
  const path = join(folder, name)
  writeFileSync(path, silence())
  const reply = { body: { text: 'Nobody spoke.' }, headers: json }
  upstream.script(reply)
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByLabel('Language').fill('en')
  await page.getByRole('button', { name: 'Transcribe' }).click()
  await page.getByText('Nobody spoke.').waitFor()
  await picture('playground-transcription')
  const read = async () => {
    const { headers, body } = upstream.last()
    const type = String(headers['content-type'])
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData()
    const file = form.get('file') as File
    const bytes = Buffer.from(await file.arrayBuffer())
    const isSame = bytes.equals(silence())
    return { name: file.name, isSame, language: form.get('language'), model: form.get('model') }
  }
  const sent = await read()
  expect(sent).toEqual({ name, isSame: true, language: 'en', model })

  upstream.script(reply)
  expect(await runCurl(page)).toContain('Nobody spoke.')
  expect(await read()).toEqual(sent)
  await page.reload()
  await page.getByText(name).waitFor()
  expect(await page.getByLabel('Language').inputValue()).toBe('en')
  expect(problems).toEqual([])
})

test('a conversation has a cURL command that streams the next reply', async () => {
  const { page, problems } = await over.open(`/playground?model=${model}`)
  over.pair.upstream.script({ chunks: ['data: {"choices":[]}\n\n', 'data: [DONE]\n\n'] })
  await page.getByLabel('Message').fill('It’s me')
  expect(await runCurl(page)).toContain('data: [DONE]')
  expect(over.pair.upstream.last().json()).toMatchObject({
    model,
    messages: [{ role: 'user', content: 'It’s me' }],
    stream: true,
  })
  expect(problems).toEqual([])
})

test('every task fits a phone', async () => {
  const { page, picture, problems } = await over.open('/playground', {
    viewport: { width: 390, height: 800 },
  })
  for (const mode of ['image', 'speech', 'transcription', 'embeddings', 'rerank']) {
    await goWithin(page, `/playground?mode=${mode}&model=${model}`)
    await page.getByRole('button', { name: 'cURL', exact: true }).waitFor()
    const excess = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main')].map(
        (element) => element.scrollWidth - element.clientWidth,
      ),
    )
    expect(excess, mode).toEqual([0, 0])
    await picture(`playground-phone-${mode}`)
  }
  expect(problems).toEqual([])
})
