import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n a picture', 'latin1')
const PDF = Buffer.from('%PDF-1.7 a paper')

const chatAnswer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

/** Told when the vendor is asked. */
let held = (): unknown => null
let gateway: TestGateway
let vendor: ScriptedUpstream
let files: ScriptedUpstream

beforeAll(async () => {
  // Files are fetched from this machine alone, as if it were the internet.
  gateway = await startTestGateway({ mayFetchFrom: (address) => address === '127.0.0.1' })
  vendor = await startUpstream(() => {
    held()
    return { body: chatAnswer }
  })
  files = await startUpstream(async ({ url }) => {
    // Comes when others have.
    if (url.startsWith('/late')) await sleep(500)
    if (url === '/paper.pdf' || url.startsWith('/late')) {
      return { body: PDF, headers: { 'content-type': 'application/pdf' } }
    }
    if (url === '/cat.png') return { body: PNG, headers: { 'content-type': 'image/png' } }
    if (url === '/page.pdf') return { body: '<html>', headers: { 'content-type': 'text/html' } }
    if (url.startsWith('/big')) {
      const headers = { 'content-type': 'application/pdf' }
      return { body: Buffer.concat([PDF, Buffer.alloc(19_000_000)]), headers }
    }
    return { status: 404, body: 'the inner secret' }
  })
  for (const name of ['one', 'two']) {
    const settings = { endpoint_types: ['openai'] }
    gateway.addChannel({ name, baseUrl: vendor.url, models: ['gpt-5.6'], settings })
  }
})

afterAll(() => Promise.all([gateway.close(), vendor.close(), files.close()]))

beforeEach(() => {
  vendor.requests.length = 0
  files.requests.length = 0
  gateway.set({ 'fetch_setting.allowed_ports': [], 'fetch_setting.fetch_files': true })
})

const documentAt = (url: string) => ({ type: 'document', source: { type: 'url', url } })

/** A call of Anthropic's client with these blocks, to a vendor that takes no address of a document. */
async function ask(blocks: object[], path = '/v1/messages', signal: AbortSignal | null = null) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'x-api-key': gateway.key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({
      model: 'gpt-5.6',
      max_tokens: 10,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Read it' }, ...blocks] }],
    }),
    signal,
  })
  const body = (await response.json()) as { error?: { type: string; message: string } }
  return { status: response.status, body, message: body.error?.message ?? '' }
}

describe('a document at an address, for a vendor that takes data only', () => {
  test('is fetched and sent as data', async () => {
    const { status } = await ask([documentAt(`${files.url}/paper.pdf`)])
    const { content } =
      (vendor.last().json() as { messages: { content: object[] }[] }).messages[0] ?? {}
    const data = `data:application/pdf;base64,${PDF.toString('base64')}`
    expect(status).toBe(200)
    expect(content?.[1]).toMatchObject({ type: 'file', file: { file_data: data } })
  })

  test('is fetched for a body of megabytes, too', async () => {
    const long = { type: 'text', text: 'x'.repeat(2_000_000) }
    const { status } = await ask([long, documentAt(`${files.url}/paper.pdf`)])
    expect([status, files.requests.length]).toEqual([200, 1])
    expect(vendor.last().body.toString()).toContain(PDF.toString('base64'))
  })

  test('is fetched once, though its channel fails and another is asked', async () => {
    vendor.script({ status: 500, body: { error: { message: 'down' } } })
    const { status } = await ask([documentAt(`${files.url}/paper.pdf`)])
    expect([status, vendor.requests.length, files.requests.length]).toEqual([200, 2, 1])
    expect(vendor.requests[0]?.body).toEqual(vendor.requests[1]?.body)
  })

  test('that an address takes as it is goes as it is', async () => {
    const image = { type: 'image', source: { type: 'url', url: `${files.url}/cat.png` } }
    expect((await ask([image])).status).toBe(200)
    expect(vendor.last().body.toString()).toContain(`"url":"${files.url}/cat.png"`)
    expect(files.requests).toEqual([])
  })

  test('is not fetched for a count, which is then estimated here', async () => {
    const paper = documentAt(`${files.url}/paper.pdf`)
    const { status, body } = await ask([paper], '/v1/messages/count_tokens')
    expect([status, body]).toEqual([200, { input_tokens: expect.any(Number) }])
    expect([files.requests.length, vendor.requests.length]).toEqual([0, 0])
  })

  test('is refused as before where the owner wants nothing fetched', async () => {
    gateway.set({ 'fetch_setting.fetch_files': false })
    const { status, message } = await ask([documentAt(`${files.url}/paper.pdf`)])
    expect([status, files.requests.length]).toEqual([400, 0])
    expect(message).toBe(
      'messages[0].content[1]: must be sent as data (base64): this upstream takes no address of a document.',
    )
  })
})

describe('a file that cannot be had is refused in the caller’s format, naming its place', () => {
  const refusal = (why: string, index = 1) =>
    `messages[0].content[${index}].source.url: could not be fetched for an upstream that takes no such address: ${why}. Send the file as data (base64).`

  test.each([
    ['/none.pdf', '127.0.0.1 answered 404'],
    ['/page.pdf', 'it is text/html, not a PDF or a text'],
  ])('%s', async (path, why) => {
    const { status, body, message } = await ask([documentAt(files.url + path)])
    expect([status, body.error?.type, message]).toEqual([
      400,
      'invalid_request_error',
      refusal(why),
    ])
    expect(vendor.requests).toEqual([])
  })

  test('an address that is not public', async () => {
    const { status, message } = await ask([documentAt('http://169.254.169.254/latest/meta-data')])
    expect([status, message]).toEqual([
      400,
      refusal('169.254.169.254 does not lead to a public address'),
    ])
  })

  test('the gateway itself', async () => {
    const { status, message } = await ask([documentAt(`${gateway.url}/api/status`)])
    expect([status, message]).toEqual([400, refusal('127.0.0.1 does not lead to a public address')])
  })

  test('a port that may not be asked', async () => {
    gateway.set({ 'fetch_setting.allowed_ports': [80, 443] })
    const { message } = await ask([documentAt(`${files.url}/paper.pdf`)])
    expect(message).toContain('is not allowed; use one of 80, 443')
    expect(files.requests).toEqual([])
  })

  test('files that are too large together, while each alone is not', async () => {
    const blocks = [1, 2, 3].map((n) => documentAt(`${files.url}/big${n}`))
    const { status, message } = await ask(blocks)
    expect([status, vendor.requests.length]).toEqual([400, 0])
    expect(message).toContain('the files of one call are too large together')
  })

  test('more files than a call may name', async () => {
    const blocks = Array.from({ length: 101 }, (_, n) => documentAt(`${files.url}/paper.pdf?${n}`))
    const { status, message } = await ask(blocks)
    expect([status, message]).toEqual([400, refusal('a call may name 100 files by URL', 101)])
    expect(files.requests).toEqual([])
  })
})

test('a PDF that a call names as a document and as an image is refused as an image', async () => {
  gateway.addChannel({ name: 'three', type: 14, baseUrl: vendor.url, models: ['claude'] })
  const papers = ['paper.pdf', 'late1.pdf', 'late2.pdf', 'late3.pdf'].map((name) => ({
    type: 'input_file',
    file_url: `${files.url}/${name}`,
  }))
  const image = { type: 'input_image', image_url: `${files.url}/paper.pdf` }
  const response = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({
      model: 'claude',
      input: [{ role: 'user', content: [...papers, image] }],
    }),
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(
    'input[0].content[4].image_url: could not be fetched for an upstream that takes no such address: it is application/pdf, not an image.',
  )
  expect(vendor.requests).toEqual([])
})

test('a client that leaves ends the fetches that were made for it', async () => {
  const begun = gateway.rows().length
  files.script({ ending: 'hang-before-headers' })
  const controller = new AbortController()
  const asking = ask([documentAt(`${files.url}/paper.pdf`)], '/v1/messages', controller.signal)
  const gone = asking.catch((error: Error) => error.name)
  while (files.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  controller.abort()
  expect([await gone, await files.last().ended]).toEqual(['AbortError', 'gone'])
  const rows = await gateway.rowsWhen(begun + 1)
  expect([rows.length - begun, rows[0]?.status, vendor.requests.length]).toEqual([1, 499, 0])
})

test('files count among the bodies under way until the call is over', async () => {
  const { bodies } = gateway.parts
  const seen: number[] = []
  held = () => seen.push(bodies.held)
  // A small body that names large files must not get past the limit of large bodies.
  expect((await ask([documentAt(`${files.url}/big.pdf`)])).status).toBe(200)
  expect(seen[0]).toBeGreaterThan(19_000_000)
  await expect.poll(() => bodies.held).toBe(0)
})
