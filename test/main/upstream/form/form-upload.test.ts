import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Cancellation } from '../../../../main/base/cancellation.ts'
import { GatewayError } from '../../../../main/base/errors.ts'
import { readAll } from '../../../../main/upstream/body.ts'
import { usualLimits } from '../../../../main/upstream/connect/time-limits.ts'
import { FormBody } from '../../../../main/upstream/form/form-data.ts'
import type { UpstreamRequest } from '../../../../main/upstream/request.ts'
import { sendUpstream } from '../../../../main/upstream/send-upstream.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import {
  FORM_TYPE,
  formBytes,
  type WrittenPart,
  wavBytes,
} from '../../../support/clients/form-bytes.ts'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'

const model: WrittenPart = { name: 'model', body: 'whisper-1' }
const file: WrittenPart = { name: 'file', body: wavBytes(300_000), filename: 'speech.wav' }
const whole = formBytes([model, file])

async function upstream() {
  const started = await startUpstream(() => ({ body: { text: 'heard' } }))
  onTestFinished(() => started.close())
  return started
}

/** A server that does with requests what a test needs done, before they are whole. */
async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function open(source: Readable): FormBody {
  const form = FormBody.open(source, FORM_TYPE, {
    ...{ files: ['file'], single: ['model'], contentLength: whole.length },
  })
  onTestFinished(() => form.close())
  return form
}

function send(
  url: string,
  form: FormBody,
  replaced: Record<string, string> = {},
  more: Partial<UpstreamRequest> = {},
) {
  const { contentType, contentLength, bytes } = form.outgoing(replaced)
  const headers = { 'content-type': contentType }
  return sendUpstream({ method: 'POST', url, headers, body: bytes, contentLength, ...more })
}

/** A promise with what settles it. */
function later<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const failureOf = (promise: Promise<unknown>) => promise.catch((caught: unknown) => caught)

describe('an upload to an upstream', () => {
  test('arrives byte by byte, with its length where that is known', async () => {
    const { url, last } = await upstream()
    const form = open(Readable.from([whole]))
    const answer = await send(url, form)
    expect(JSON.parse((await readAll(answer.body, 1000)).toString())).toEqual({ text: 'heard' })
    expect(last().body.equals(whole)).toBe(true)
    expect(last().headers).toMatchObject({
      'content-type': FORM_TYPE,
      'content-length': String(whole.length),
    })
    expect(last().headers).not.toHaveProperty('transfer-encoding')
  })

  test('with another model is sent again to the next upstream after one that failed', async () => {
    const { url, last, requests, script } = await upstream()
    script({ status: 500, body: 'no' })
    const form = open(Readable.from([whole]))
    expect((await send(url, form, { model: 'own' })).status).toBe(500)
    expect((await send(url, form, { model: 'other' })).status).toBe(200)
    expect(requests[0]?.body.toString('latin1')).toContain('name="model"\r\n\r\nown\r\n')
    expect(last().body.toString('latin1')).toContain('name="model"\r\n\r\nother\r\n')
    expect(last().body.includes(file.body)).toBe(true)
  })

  test('of many MiB arrives as it came through an upstream that reads slowly', async () => {
    const read = later<Buffer>()
    const url = await listen(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) {
        if (chunks.push(chunk) % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
      }
      read.resolve(Buffer.concat(chunks))
      response.end()
    })
    const body = Buffer.alloc(12 * 1024 * 1024)
    for (let at = 0; at < body.length; at += 4) body.writeUInt32LE(at, at)
    const bytes = formBytes([{ ...file, body }, model])
    const form = FormBody.open(Readable.from(cutAtRandom(bytes, 1, 130_000)), FORM_TYPE, {
      ...{ files: ['file'], single: ['model'], contentLength: bytes.length },
    })
    onTestFinished(() => form.close())
    await form.whole()
    await send(url, form)
    expect((await read.promise).equals(bytes)).toBe(true)
  })

  test('with another model has a length when all of it has come, also when the model came last', async () => {
    const { url, last } = await upstream()
    const pieces = {
      last: cutAtRandom(formBytes([file, model]), 1, 60_000),
      first: [whole],
    }
    for (const all of Object.values(pieces)) {
      const form = open(Readable.from(all))
      expect(await form.field('model')).toBe('whisper-1')
      await send(url, form, { model: 'own' })
      expect(last().headers['content-length']).toBe(String(last().body.length))
    }
  })

  test('begins while the file is still on its way', async () => {
    const begun = later<Buffer>()
    const url = await listen((request, response) => {
      request.once('data', (chunk: Buffer) => begun.resolve(chunk))
      request.on('end', () => response.end('done')).resume()
    })
    for (const replaced of [{}, { model: 'own' }] as Record<string, string>[]) {
      const source = new PassThrough()
      const form = open(source)
      source.write(whole.subarray(0, 1000))
      expect(await form.field('model')).toBe('whisper-1')
      const answer = send(url, form, replaced)
      expect((await begun.promise).toString('latin1')).toContain('name="model"')
      source.end(whole.subarray(1000))
      expect((await answer).status).toBe(200)
    }
  })

  test('gets the answer that comes before it is sent whole', async () => {
    const url = await listen((_, response) => response.writeHead(401).end('who are you?'))
    const source = new PassThrough()
    const form = open(source)
    source.write(whole.subarray(0, 1000))
    await form.field('model')
    const answer = await send(url, form)
    expect(answer.status).toBe(401)
    expect((await readAll(answer.body, 1000)).toString()).toBe('who are you?')
  })

  test('fails with what is wrong with the form, and the upstream gets no whole one', async () => {
    const begun = later<void>()
    const gone = later<boolean>()
    const url = await listen((request) => {
      request.on('error', () => {}).on('close', () => gone.resolve(request.complete))
      request.on('data', () => begun.resolve())
    })
    const source = new PassThrough()
    const form = open(source)
    source.write(whole.subarray(0, 1000))
    await form.field('model')
    const sent = failureOf(send(url, form, { model: 'own' }))
    await begun.promise
    source.end(Buffer.alloc(50))
    const error = await sent
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toBe(await failureOf(form.whole()))
    expect((error as Error).message).toContain('is cut')
    expect(await gone.promise).toBe(false)
  })

  test('with two models is not whole for the upstream when the second one shows at its end', async () => {
    const { url, requests } = await upstream()
    const twice = formBytes([model, file, model])
    const form = FormBody.open(Readable.from([twice]), FORM_TYPE, {
      ...{ files: ['file'], single: ['model'], contentLength: twice.length },
    })
    expect(await failureOf(send(url, form))).toMatchObject({ field: 'model' })
    expect(requests).toEqual([])
    await form.close()
  })

  test('ends when its call is cancelled, although its client sends nothing', async () => {
    const begun = later<void>()
    const url = await listen((request) => {
      request.on('error', () => {}).once('data', () => begun.resolve())
    })
    const source = new PassThrough()
    const form = open(source)
    source.write(whole.subarray(0, 1000))
    await form.field('model')
    const cancellation = new Cancellation()
    const sent = failureOf(send(url, form, {}, { cancellation }))
    await begun.promise
    cancellation.cancel(new GatewayError('client_gone', { message: 'gone' }))
    expect(await sent).toMatchObject({ code: 'client_gone', message: 'gone' })
  })

  test('that its client sends slowly is not taken for silence of the upstream', async () => {
    const { url } = await upstream()
    const source = new PassThrough()
    const form = open(source)
    source.write(whole.subarray(0, 1000))
    await form.field('model')
    const answer = send(url, form, {}, { limits: { ...usualLimits, idle: 1500 } })
    source.write(whole.subarray(1000, 2000))
    await new Promise((resolve) => setTimeout(resolve, 2000))
    source.end(whole.subarray(2000))
    expect((await answer).status).toBe(200)
  })

  test('that no upstream takes says so', async () => {
    const url = await listen(() => {})
    const form = open(Readable.from([whole]))
    const sent = failureOf(send(url, form, {}, { limits: { ...usualLimits, idle: 400 } }))
    expect(await sent).toMatchObject({ code: 'upstream_timeout' })
    const refused = await failureOf(send('http://127.0.0.1:1', form))
    expect(refused).toMatchObject({ code: 'upstream_unreachable' })
  })
})
