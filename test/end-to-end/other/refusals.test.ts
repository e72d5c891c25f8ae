import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  BOUNDARY,
  FORM_TYPE,
  formBytes,
  type WrittenPart,
  wavBytes,
} from '../../support/clients/form-bytes.ts'
import { readForm } from '../../support/clients/read-form.ts'
import { otherCalls } from '../../support/stages/other-calls.ts'
import { type OtherStage, type Played, startOtherStage } from '../../support/stages/other-stage.ts'
import { PNG } from '../../support/strict/requests/refused-by.ts'
import { type ScriptedUpstream, startUpstream } from '../../support/upstreams/scripted-upstream.ts'

let stage: OtherStage
let talker: ScriptedUpstream

beforeAll(async () => {
  stage = await startOtherStage()
  talker = await startUpstream()
  stage.gateway.addChannel({ type: 14, name: 'talker', baseUrl: talker.url, models: ['claude'] })
})
afterAll(async () => {
  await stage.close()
  await talker.close()
})

const sound: WrittenPart = {
  name: 'file',
  body: wavBytes(5_000_000),
  filename: 'speech.wav',
  contentType: 'audio/wav',
}
const picture: WrittenPart = {
  name: 'image',
  // Bytes behind a picture's end are no harm, and make it large enough to be cut.
  body: Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(100_000)]),
  filename: 'cat.png',
  contentType: 'image/png',
}
const prompt: WrittenPart = { name: 'prompt', body: 'Make it blue.' }

/** Form endpoints, a model natively served and one by conversion, and what else a right form holds. */
const forms: readonly [string, Played, string, readonly WrittenPart[]][] = [
  ['/v1/audio/transcriptions', 'openai', 'gpt-4o-transcribe', [sound]],
  ['/v1/audio/transcriptions', 'google', 'gemini-3-flash', [sound]],
  ['/v1/audio/translations', 'openai', 'whisper-1', [sound]],
  ['/v1/audio/translations', 'google', 'gemini-3-flash', [sound]],
  ['/v1/images/edits', 'openai', 'gpt-image-1', [prompt, picture]],
  ['/v1/images/edits', 'google', 'gemini-3.1-flash-image', [prompt, picture]],
  ['/v1/images/variations', 'openai', 'dall-e-2', [picture]],
]

async function post(path: string, body: Buffer | string, type = FORM_TYPE) {
  const answer = await fetch(stage.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.gateway.key}`, 'content-type': type },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  const json = (await answer.json()) as { error?: { message: string; param: string | null } }
  return { status: answer.status, ...json }
}

describe.each(forms)('%s of %s', (path, vendor, name, parts) => {
  const model: WrittenPart = { name: 'model', body: name }

  /** Sends what must be refused; no vendor may have had the whole of it, nor more than one row be written. */
  async function refused(body: Buffer | string, type?: string) {
    const before = stage.upstreams[vendor].requests.length
    const rows = stage.gateway.rows().length
    const answer = await post(path, body, type)
    await sleep(30)
    expect(stage.upstreams[vendor].requests.length).toBe(before)
    expect(stage.gateway.rows().length - rows).toBeLessThanOrEqual(1)
    for (const row of stage.gateway.rows().slice(0, stage.gateway.rows().length - rows)) {
      expect(row).toMatchObject({ status: answer.status, quota: 0, type: 5 })
    }
    expect(stage.gateway.parts.openCalls.size).toBe(0)
    return answer
  }

  test.each(['first', 'last'])(
    'takes a form whose model comes %s, and leaves no file behind',
    async (place) => {
      // A folder of its own: other tests upload at the same time.
      const folder = mkdtempSync(join(tmpdir(), 'switchyard-forms-'))
      vi.stubEnv('TMPDIR', folder)
      const all = place === 'first' ? [model, ...parts] : [...parts, model]
      const row = await stage.booked(async () => {
        expect(await post(path, formBytes(all))).toMatchObject({ status: 200 })
      })
      expect(row).toMatchObject({ status: 200, model: name })
      if (vendor === 'openai') {
        const { files } = await readForm(stage.upstreams.openai.last())
        expect(files[0]?.bytes.equals(parts.at(-1)?.body as Buffer)).toBe(true)
        expect(files[0]?.filename).toBe(parts.at(-1)?.filename)
      }
      expect(readdirSync(folder)).toEqual([])
      rmSync(folder, { recursive: true })
    },
  )

  test('without a file names the field that is missing', async () => {
    const texts = [model, ...parts.filter(({ filename }) => !filename)]
    const { status, error } = await refused(formBytes(texts))
    expect(status).toBe(400)
    expect(error?.param).toMatch(/^(file|image)$/)
  })

  test.each([
    ['before the file', true],
    ['behind the file', false],
  ])('with two models, the second %s, is refused', async (_, isBefore) => {
    const second = { ...model, body: 'another-model' }
    const all = isBefore ? [model, second, ...parts] : [model, ...parts, second]
    expect(await refused(formBytes(all))).toMatchObject({ status: 400, error: { param: 'model' } })
  })

  test('without a model is refused by name', async () => {
    expect(await refused(formBytes(parts))).toMatchObject({
      status: 400,
      error: { param: 'model' },
    })
  })

  test('with another boundary than its head says is refused', async () => {
    const { status, error } = await refused(formBytes([model, ...parts], 'another'))
    expect(status).toBe(400)
    expect(error?.message).toMatch(/boundary/i)
  })

  test('without a boundary in its head is refused', async () => {
    const { status, error } = await refused(formBytes([model, ...parts]), 'multipart/form-data')
    expect(status).toBe(400)
    expect(error?.message).toMatch(/boundary/i)
  })

  test('that ends in the middle of its file, or before its last boundary, is refused', async () => {
    const whole = formBytes([model, ...parts])
    for (const length of [whole.length - 40, whole.length - BOUNDARY.length - 8]) {
      const { status, error } = await refused(whole.subarray(0, length))
      expect(status).toBe(400)
      expect(error?.message).toMatch(/end|cut|complete|whole/i)
    }
  })

  test('whose client leaves in the middle is ended at the vendor and booked as such', async () => {
    const whole = formBytes([model, ...parts])
    const before = stage.upstreams[vendor].requests.length
    const rows = stage.gateway.rows().length
    const { hostname, port } = new URL(stage.gateway.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      [
        `POST ${path} HTTP/1.1`,
        `host: ${new URL(stage.gateway.url).host}`,
        `authorization: Bearer ${stage.gateway.key}`,
        `content-type: ${FORM_TYPE}`,
        `content-length: ${whole.length}`,
        '\r\n',
      ].join('\r\n'),
    )
    socket.write(whole.subarray(0, whole.length - 60))
    const { openCalls } = stage.gateway.parts
    await expect.poll(() => openCalls.size).toBe(1)
    socket.destroy()
    await expect.poll(() => openCalls.size).toBe(0)
    expect(stage.upstreams[vendor].requests.length).toBe(before)
    const booked = stage.gateway.rows().slice(0, stage.gateway.rows().length - rows)
    expect(booked).toMatchObject([{ status: 499, quota: 0 }])
  })

  test('with an unknown model is told so', async () => {
    expect(await refused(formBytes([{ ...model, body: 'nobody' }, ...parts]))).toMatchObject({
      status: 404,
      error: { param: 'model' },
    })
  })
})

describe('the wrong kind of body', () => {
  test('JSON where only a form will do is refused with what is taken', async () => {
    for (const path of ['/v1/audio/transcriptions', '/v1/images/variations']) {
      const { status, error } = await post(path, '{"model":"whisper-1"}', 'application/json')
      expect(status).toBe(415)
      expect(error?.message).toContain('multipart/form-data')
    }
  })

  test('a form where only JSON will do is refused with what is taken', async () => {
    for (const path of ['/v1/audio/speech', '/v1/embeddings', '/v1/images/generations']) {
      const { status, error } = await post(path, formBytes([prompt]))
      expect(status).toBe(415)
      expect(error?.message).toContain('JSON')
    }
  })

  test('edits in JSON, with the picture as a data: URL, are served by both kinds of vendor', async () => {
    const image = `data:image/png;base64,${PNG}`
    const asked = { prompt: 'Make it blue.', images: [{ image_url: image }] }
    stage.upstreams.openai.script({ body: { created: 1, data: [{ b64_json: PNG }] } })
    for (const model of ['gpt-image-1', 'gemini-3.1-flash-image']) {
      const answer = await post(
        '/v1/images/edits',
        JSON.stringify({ ...asked, model }),
        'application/json',
      )
      expect(answer).toMatchObject({ status: 200, data: [{ b64_json: PNG }] })
    }
    expect(stage.upstreams.openai.last().json()).toEqual({ ...asked, model: 'gpt-image-1' })
  })
})

describe('an endpoint that no channel of the model serves', () => {
  const unserved = otherCalls.filter(
    ({ vendor, path }) => vendor === 'openai' && path !== '/v1/completions',
  )

  test.each(unserved)('$path says what the model does serve', async ({ run, path }) => {
    const row = await stage.booked(() =>
      expect(run(stage.client, 'claude')).rejects.toMatchObject({
        status: 400,
        param: 'model',
        message: expect.stringMatching(new RegExp(`${path}: "talker" serves anthropic`)),
      }),
    )
    expect(row).toMatchObject({ status: 400, quota: 0 })
    expect(talker.requests).toEqual([])
  })

  test('a model that only makes sound says so to who wants a conversation', async () => {
    stage.gateway.addChannel({
      type: 1,
      name: 'speaker',
      baseUrl: talker.url,
      models: ['only-sound'],
      settings: { endpoint_types: ['audio'] },
    })
    await expect(
      stage.client.chat.completions.create({
        model: 'only-sound',
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('audio') })
  })
})

test('what Google cannot hear is refused by name before it is asked', async () => {
  const before = stage.upstreams.google.requests.length
  await expect(
    stage.client.audio.transcriptions.create({
      model: 'gemini-3-flash',
      file: await OpenAI.toFile(Buffer.from('%PDF-1.7'), 'paper.pdf', { type: 'application/pdf' }),
    }),
  ).rejects.toMatchObject({ status: 400, param: 'file' })
  expect(stage.upstreams.google.requests.length).toBe(before)
})
