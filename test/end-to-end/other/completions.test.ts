import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import type { ChannelSettings } from '../../../main/store/records/channels.ts'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { loopTurns } from '../../support/strict/loops/loop-script.ts'
import {
  type StrictUpstream,
  startStrictUpstream,
} from '../../support/strict/loops/strict-upstream.ts'
import { COMPLETION } from '../../support/strict/other/other-openai.ts'

let stage: OtherStage
let chat: StrictUpstream
const upstreams = new Map<WireFormat, StrictUpstream>()

/** Conversations' upstreams, with the channel's type and what it is said to serve. */
const others: readonly [WireFormat, number, string, ChannelSettings][] = [
  ['chat', 1, 'gpt-4o-mini', { completions: false }],
  ['messages', 14, 'claude-haiku-4-5', {}],
  ['generate-content', 24, 'gemini-2.5-flash', {}],
  ['responses', 1, 'gpt-4.1', { endpoint_types: ['openai-response'] }],
]

beforeAll(async () => {
  stage = await startOtherStage()
  for (const [format, type, model, settings] of others) {
    const upstream = await startStrictUpstream(format)
    upstreams.set(format, upstream)
    stage.gateway.addChannel({
      type,
      name: format,
      baseUrl: upstream.url,
      models: [model],
      settings,
    })
  }
  chat = upstreams.get('chat') as StrictUpstream
})
afterAll(async () => {
  await stage.close()
  await Promise.all([...upstreams.values()].map((upstream) => upstream.close()))
})

const prompt = 'Finish this line: Half a league,'
const model = 'gpt-3.5-turbo-instruct'

async function read(stream: AsyncIterable<OpenAI.Completion>): Promise<OpenAI.Completion[]> {
  const chunks: OpenAI.Completion[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

const textOf = (chunks: readonly OpenAI.Completion[]): string =>
  chunks.map(({ choices }) => choices[0]?.text ?? '').join('')

describe('completions of a model that completes', () => {
  test('come as they are, with every setting that only such a model has', async () => {
    const asked = {
      model,
      prompt: [prompt, 'Half a'],
      suffix: '!',
      echo: true,
      best_of: 2,
      logprobs: 1,
    }
    const row = await stage.booked(async () => {
      const answer = await stage.client.completions.create({ ...asked, max_tokens: 20 })
      expect(answer.choices.map(({ text }) => text)).toEqual(Array(2).fill(COMPLETION.join('')))
      expect(answer.model).toBe(model)
    })
    expect(stage.upstreams.openai.last().json()).toEqual({ ...asked, max_tokens: 20 })
    expect(row).toMatchObject({ status: 200, promptTokens: 5, completionTokens: 9 })
    expect(row.other).toMatchObject({ wire_format: 'completions' })
    expect(row.other.upstream_format).toBeUndefined()
  })

  test.each([true, false])(
    'streamed are booked whether or not usage is asked (%s)',
    async (asks) => {
      const row = await stage.booked(async () => {
        const chunks = await read(
          await stage.client.completions.create({
            model,
            prompt,
            stream: true,
            ...(asks && { stream_options: { include_usage: true } }),
          }),
        )
        expect(textOf(chunks)).toBe(COMPLETION.join(''))
        expect(chunks.some(({ usage }) => usage?.total_tokens === 14)).toBe(asks)
      })
      expect(row).toMatchObject({ isStream: true, promptTokens: 5, completionTokens: 9 })
    },
  )

  test('under another name of the model show that name in every chunk', async () => {
    stage.addChannel('openai', { models: ['my-writer'], modelMapping: { 'my-writer': model } })
    const chunks = await read(
      await stage.client.completions.create({ model: 'my-writer', prompt, stream: true }),
    )
    expect(new Set(chunks.map((chunk) => chunk.model))).toEqual(new Set(['my-writer']))
    expect(stage.upstreams.openai.last().json()).toMatchObject({ model })
  })
})

describe.each(others)('completions of a model that converses, over %s', (format, _type, name) => {
  const last = loopTurns[2]
  const asked = { model: name, prompt, max_tokens: 4000 }

  test('are its answer to the prompt, in the shape of completions', async () => {
    const row = await stage.booked(async () => {
      const answer = await stage.client.completions.create({ ...asked, prompt: [prompt] })
      expect(answer).toMatchObject({
        object: 'text_completion',
        model: name,
        choices: [{ text: last.text, index: 0, logprobs: null, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1800, completion_tokens: 91, total_tokens: 1891 },
      })
    })
    expect(row).toMatchObject({ status: 200, promptTokens: 1800, completionTokens: 91 })
    expect(row.other).toMatchObject({ upstream_format: format, wire_format: 'completions' })
    expect(upstreams.get(format)?.refusals).toEqual([])
  })

  test('streamed are the same text, and usage only for who asks', async () => {
    for (const asks of [true, false]) {
      const row = await stage.booked(async () => {
        const chunks = await read(
          await stage.client.completions.create({
            ...asked,
            stream: true,
            ...(asks && { stream_options: { include_usage: true } }),
          }),
        )
        expect(textOf(chunks)).toBe(last.text)
        expect(chunks.every(({ object }) => object === 'text_completion')).toBe(true)
        expect(chunks.some(({ usage }) => usage?.total_tokens === 1891)).toBe(asks)
        expect(chunks.flatMap(({ choices }) => choices).at(-1)?.finish_reason).toBe('stop')
      })
      expect(row).toMatchObject({ isStream: true, promptTokens: 1800, completionTokens: 91 })
    }
  })

  test.each([
    ['prompt', { prompt: ['one', 'two'] }],
    ['prompt', { prompt: [1, 2, 3] }],
    ['suffix', { suffix: 'the end' }],
    ['best_of', { best_of: 3 }],
    ['echo', { echo: true }],
    ['logprobs', { logprobs: 2 }],
  ] as const)('refuse %s by name: %j', async (field, wish) => {
    const before = upstreams.get(format)?.requests.length
    await expect(
      stage.client.completions.create({ ...asked, ...wish } as never),
    ).rejects.toMatchObject({ status: 400, param: field })
    expect(upstreams.get(format)?.requests.length).toBe(before)
  })

  test('are refused in the vendor’s words', async () => {
    const words = 'Too many requests for today.'
    upstreams.get(format)?.script({
      status: 429,
      body: { error: { message: words, type: 'rate_limit_error', code: 429, status: 'ABORTED' } },
      headers: { 'retry-after': '7' },
    })
    stage.gateway.set({ RetryTimes: 0 })
    const row = await stage.booked(() =>
      expect(stage.client.completions.create(asked)).rejects.toMatchObject({
        status: 429,
        message: expect.stringContaining(words),
      }),
    )
    expect(row).toMatchObject({ type: 5, status: 429, quota: 0 })
  })

  test('that break off end with an error, never as if they were whole', async () => {
    upstreams.get(format)?.script({
      chunks: [
        {
          chat: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Half' } }] })}\n\n`,
          messages: [
            {
              type: 'message_start',
              message: { id: 'm', role: 'assistant', content: [], usage: {} },
            },
            { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
            { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } },
          ]
            .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
            .join(''),
          'generate-content': `data: ${JSON.stringify({
            candidates: [{ content: { parts: [{ text: 'Half' }] }, index: 0 }],
          })}\n\n`,
          responses: [
            { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
            {
              type: 'response.output_item.added',
              output_index: 0,
              item: { type: 'message', id: 'i', role: 'assistant', content: [] },
            },
            {
              type: 'response.output_text.delta',
              item_id: 'i',
              output_index: 0,
              content_index: 0,
              delta: 'Half',
            },
          ]
            .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
            .join(''),
        }[format],
      ],
      ending: 'cut',
    })
    const seen: OpenAI.Completion[] = []
    const row = await stage.booked(async () => {
      const stream = await stage.client.completions.create({ ...asked, stream: true })
      await expect(
        (async () => {
          for await (const chunk of stream) seen.push(chunk)
        })(),
      ).rejects.toThrow()
    })
    expect(textOf(seen)).toBe('Half')
    expect(seen.flatMap(({ choices }) => choices).some((one) => one.finish_reason)).toBe(false)
    expect(row.content).not.toBe('')
    expect(row.other).toMatchObject({ error_code: 'upstream_cut' })
  })
})

describe('a host whose model only converses', () => {
  test('is asked again in a conversation where it has no completions, and from then on at once', async () => {
    stage.gateway.addChannel({ type: 1, name: 'unsure', baseUrl: chat.url, models: ['gpt-4o'] })
    const paths = async () => {
      const before = chat.requests.length
      const answer = await stage.client.completions.create({ model: 'gpt-4o', prompt })
      expect(answer.choices[0]?.text).toBe(loopTurns[2].text)
      return chat.requests.slice(before).map(({ url }) => url)
    }
    expect(await paths()).toEqual(['/v1/completions', '/v1/chat/completions'])
    expect(await paths()).toEqual(['/v1/chat/completions'])
  })

  test('gets no more than the 16 tokens that the endpoint gives unasked', async () => {
    await stage.client.completions.create({ model: 'gpt-4o-mini', prompt })
    const { max_tokens, max_completion_tokens } = chat.last().json() as Record<string, number>
    expect(max_tokens ?? max_completion_tokens).toBe(16)
  })

  test('does not see what a conversation has no place for, and the client is told', async () => {
    const { response } = await stage.client.completions
      .create({ model: 'claude-haiku-4-5', prompt, seed: 7, max_tokens: 20 })
      .withResponse()
    expect(response.headers.get('x-switchyard-loss')).toContain('seed')
  })
})
