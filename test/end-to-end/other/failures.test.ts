import { setTimeout as sleep } from 'node:timers/promises'
import { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { wavBytes } from '../../support/clients/form-bytes.ts'
import { readForm } from '../../support/clients/read-form.ts'
import { sampleOf } from '../../support/every-case.ts'
import { type OtherCall, otherCalls, refusalOf } from '../../support/stages/other-calls.ts'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import type { Reply } from '../../support/upstreams/scripted-upstream.ts'
import { statusSeen } from '../convert/error-statuses.ts'

let stage: OtherStage

beforeAll(async () => {
  stage = await startOtherStage()
})
beforeEach(() => stage.gateway.set({ RetryTimes: 0 }))
afterAll(() => stage.close())

const upstreamOf = ({ vendor }: OtherCall) => stage.upstreams[vendor]

/** A name of the model that two channels know, the better of which is asked first. */
function onTwoChannels({ vendor, model, path }: OtherCall, name: string): string {
  const alias = `${name} ${vendor} ${path}`
  const fields = { models: [alias], modelMapping: { [alias]: model } }
  stage.addChannel(vendor, { ...fields, name: 'first', priority: 9 })
  stage.addChannel(vendor, { ...fields, name: 'second', priority: 1 })
  stage.gateway.set({ RetryTimes: 1 })
  return alias
}

describe.each(otherCalls)('$name', (call) => {
  test.each(sampleOf([400, 401, 404, 429, 500], 2, otherCalls.indexOf(call)))(
    'the vendor’s refusal with %i reaches the client in its own words',
    async (status) => {
      // At this endpoint a 404 can mean that the model only converses: it is asked again in that way.
      if (call.path === '/v1/completions' && status === 404) return
      const words = `The vendor says ${status}.`
      upstreamOf(call).script({
        status,
        body: refusalOf(call.vendor, status, words),
        headers: { 'retry-after': '7' },
      })
      const row = await stage.booked(async () => {
        const error = await call.run(stage.client, call.model).catch((caught: unknown) => caught)
        expect(error).toMatchObject({
          status: statusSeen(status),
          message: expect.stringContaining(words),
        })
        if (status === 429) {
          expect((error as { headers: Headers }).headers.get('retry-after')).toBe('7')
        }
      })
      expect(row).toMatchObject({ type: 5, status: statusSeen(status), quota: 0 })
      expect(row.content).toContain(words)
      expect(row.other).toMatchObject({ request_path: call.path })
    },
  )

  test('a page, nothing at all, or something that is no answer never passes for one', async () => {
    const oddities: [Reply, number, string][] = [
      [
        { body: '<!doctype html><html>Sign in</html>', headers: { 'content-type': 'text/html' } },
        502,
        'web page',
      ],
      [{ body: '', headers: { 'content-type': 'application/json' } }, 502, 'not JSON'],
      [{ body: '{"half": ', headers: { 'content-type': 'application/json' } }, 502, 'not JSON'],
      [
        { body: { error: { message: 'Said with a 200.', type: 'server_error', code: 'odd' } } },
        500,
        'Said with a 200.',
      ],
    ]
    for (const [reply, status, words] of oddities) {
      upstreamOf(call).script(reply)
      const row = await stage.booked(() =>
        expect(call.run(stage.client, call.model), words).rejects.toMatchObject({
          status,
          message: expect.stringContaining(words),
        }),
      )
      expect(row).toMatchObject({ type: 5, status, quota: 0 })
    }
  })

  test('a client that leaves ends the vendor’s work, and is booked once as such', async () => {
    const upstream = upstreamOf(call)
    const before = upstream.requests.length
    upstream.script({ ending: 'hang-before-headers' })
    const row = await stage.booked(async () => {
      const leaving = new AbortController()
      const running = call.run(stage.client, call.model, { signal: leaving.signal })
      const failed = expect(running).rejects.toThrow('aborted')
      while (upstream.requests.length === before) await sleep(5)
      leaving.abort()
      await failed
      const left = performance.now()
      expect(await upstream.last().ended).toBe('gone')
      expect(performance.now() - left).toBeLessThan(10_000)
    })
    expect(row).toMatchObject({ status: 499, quota: 0 })
    expect(row.other).toMatchObject({ cancelled: true })
    expect(stage.gateway.parts.openCalls.size).toBe(0)
  })

  test('a token without quota is told so, and nobody is asked', async () => {
    const upstream = upstreamOf(call)
    const before = upstream.requests.length
    const { full } = stage.gateway.addToken({ unlimitedQuota: false, grantedQuota: 0 })
    const row = await stage
      .booked(() =>
        expect(call.run(stage.clientWith(full), call.model)).rejects.toMatchObject({
          status: 401,
          code: 'insufficient_quota',
        }),
      )
      .catch((error: unknown) => error)
    expect(upstream.requests.length).toBe(before)
    // Who is not let in is not booked, or booked with nothing.
    if (!(row instanceof Error)) expect(row).toMatchObject({ status: 401, quota: 0 })
  })

  test.each(['status', 'reset'] as const)(
    'a second channel serves what the first fails at (%s), the file whole',
    async (how) => {
      const upstream = upstreamOf(call)
      const alias = onTwoChannels(call, `again-${how}`)
      const before = upstream.requests.length
      upstream.script(
        how === 'status'
          ? { status: 500, body: refusalOf(call.vendor, 500, 'broken') }
          : { ending: 'reset-before-headers' },
      )
      const row = await stage.booked(() => call.run(stage.client, alias))
      const [first, second, third] = upstream.requests.slice(before)
      expect(third).toBeUndefined()
      expect(row).toMatchObject({ status: 200, channelName: 'second', model: alias })
      expect(row.other).toMatchObject({ upstream_model_name: call.model })
      // Neither name is in a file's bytes.
      expect(`${second?.url}${second?.body}`).toContain(call.model)
      expect(`${second?.url}${second?.body}`).not.toContain(alias)
      expect(row.other.admin_info).toMatchObject({ use_channel: { length: 2 } })
      if (!first || !second || !call.file) return
      if (call.vendor === 'google') expect(second.body.equals(first.body)).toBe(true)
      else {
        const { files } = await readForm(second)
        expect(files[0]?.bytes.equals(call.file)).toBe(true)
      }
    },
  )
})

describe('a model of two vendors', () => {
  const both = otherCalls.filter(({ vendor, path }) =>
    otherCalls.some((one) => one.path === path && one.vendor === 'google' && vendor === 'openai'),
  )

  test.each(both)(
    'of $path is served by Gemini where OpenAI fails, the file whole',
    async (call) => {
      const alias = `either ${call.path}`
      const google = otherCalls.find(
        ({ path, vendor }) => path === call.path && vendor === 'google',
      )
      for (const [vendor, model, priority] of [
        ['openai', call.model, 9],
        ['google', google?.model ?? '', 1],
      ] as const) {
        stage.addChannel(vendor, { models: [alias], modelMapping: { [alias]: model }, priority })
      }
      stage.gateway.set({ RetryTimes: 1 })
      stage.upstreams.openai.script({ status: 503, body: refusalOf('openai', 503, 'busy') })
      const row = await stage.booked(() => call.run(stage.client, alias))
      expect(row).toMatchObject({ status: 200, channelName: 'google' })
      expect(row.other.admin_info).toMatchObject({ use_channel: { length: 2 } })
      expect(stage.upstreams.google.refusals).toEqual([])
      if (!call.file) return
      expect(String(stage.upstreams.google.last().body)).toContain(call.file.toString('base64'))
    },
  )

  test('is served by the one that can give what was asked for', async () => {
    const fields = { models: ['either ear'], priority: 1 }
    stage.addChannel('google', {
      ...fields,
      modelMapping: { 'either ear': 'gemini-3-flash' },
      priority: 9,
    })
    stage.addChannel('openai', { ...fields, modelMapping: { 'either ear': 'whisper-1' } })
    const before = stage.upstreams.google.requests.length
    const row = await stage.booked(async () => {
      const text = await stage.client.audio.transcriptions.create({
        model: 'either ear',
        file: await toFile(wavBytes(), 'speech.wav', { type: 'audio/wav' }),
        response_format: 'srt',
      })
      expect(String(text)).toContain('00:00:00,000')
    })
    expect(stage.upstreams.google.requests.length).toBe(before)
    expect(row).toMatchObject({ status: 200, channelName: 'openai' })
  })
})
