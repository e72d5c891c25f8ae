import { Modality } from '@google/genai'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect } from '../../support/clients/collect.ts'
import { ECHO_ALIAS, type EchoStage, startEchoStage } from '../../support/stages/echo-stage.ts'

let stage: EchoStage
let pair: EchoStage['pair']
let clients: EchoStage['clients']

beforeAll(async () => {
  stage = await startEchoStage()
  ;({ pair, clients } = stage)
})
afterAll(() => stage.close())

/** Mapped: what comes back has to bear the name that was asked for. */
const model = ECHO_ALIAS
const booked = <Answer>(run: () => Promise<Answer>) => stage.booked(run)

const picture = () => toFile(Buffer.alloc(40, 1), 'cat.png', { type: 'image/png' })

describe('completions', () => {
  const order = { model, prompt: 'Say größer 🙂', max_tokens: 100 }

  test('whole', async () => {
    const { answer, row } = await booked(() => clients.openai.completions.create(order))
    expect(answer.choices[0]?.text).toContain('größer 🙂')
    expect(answer.model).toBe(model)
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = answer.usage ?? {}
    expect(row).toMatchObject({ promptTokens, completionTokens, isStream: false })
    expect(row.completionTokens).toBeGreaterThan(0)
  })

  test('streamed, with no chunk of usage that was not asked for', async () => {
    const { answer, row } = await booked(async () =>
      collect(await clients.openai.completions.create({ ...order, stream: true })),
    )
    expect(answer.map(({ choices }) => choices[0]?.text).join('')).toContain('größer 🙂')
    expect(answer.every((chunk) => chunk.model === model && chunk.choices.length === 1)).toBe(true)
    expect(answer.some(({ usage }) => usage)).toBe(false)
    expect(row.isStream).toBe(true)
    expect(row.promptTokens).toBeGreaterThan(0)
    expect(row.completionTokens).toBeGreaterThan(0)
  })
})

describe('embeddings', () => {
  test('by OpenAI’s client, which asks for base64 unasked', async () => {
    const input = ['one', 'two', 'one']
    const { answer, row } = await booked(() =>
      clients.openai.embeddings.create({ model, input, dimensions: 16 }),
    )
    const [one, two, again] = answer.data.map(({ embedding }) => embedding)
    expect(one).toHaveLength(16)
    expect(one).toEqual(again)
    expect(one).not.toEqual(two)
    expect(answer.model).toBe(model)
    expect(row).toMatchObject({ promptTokens: answer.usage.prompt_tokens, completionTokens: 0 })
  })

  test('by Google’s client: one content and several', async () => {
    const config = { outputDimensionality: 8 }
    const { answer, row } = await booked(() =>
      clients.google.models.embedContent({ model, contents: ['one', 'two'], config }),
    )
    expect(answer.embeddings?.map(({ values }) => values?.length)).toEqual([8, 8])
    expect(row.promptTokens).toBe(2)
    const single = await booked(() =>
      pair.send(`/v1beta/models/${model}:embedContent`, {
        body: { content: { parts: [{ text: 'one' }] }, outputDimensionality: 8 },
      }),
    )
    expect(single.answer.json()).toMatchObject({
      embedding: { values: answer.embeddings?.[0]?.values },
      usageMetadata: { promptTokenCount: 1 },
    })
    expect(single.row.promptTokens).toBe(1)
  })
})

describe('images', () => {
  const order = { model, prompt: 'A sea otter', size: '256x256' } as const

  test('generated, and the row counts pictures and tokens', async () => {
    const { answer, row, other } = await booked(() => clients.openai.images.generate(order))
    expect(answer.data?.[0]?.b64_json).toMatch(/^iVBORw0KGgo/)
    expect(row).toMatchObject({
      promptTokens: answer.usage?.input_tokens,
      completionTokens: answer.usage?.output_tokens,
    })
    expect(other).toMatchObject({ images: 1, image_output: answer.usage?.output_tokens })
  })

  test('streamed from their beginnings', async () => {
    const { answer, row, other } = await booked(async () =>
      collect(await clients.openai.images.generate({ ...order, stream: true, partial_images: 1 })),
    )
    expect(answer.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.completed',
    ])
    expect(row).toMatchObject({ isStream: true, completionTokens: 256 })
    expect(other).toMatchObject({ images: 1 })
  })

  test('edited, from a form whose model is mapped', async () => {
    const { answer, row, other } = await booked(async () =>
      clients.openai.images.edit({ ...order, image: await picture() }),
    )
    expect(answer.data).toHaveLength(1)
    expect(row.completionTokens).toBe(answer.usage?.output_tokens)
    expect(other).toMatchObject({ images: 1 })
    const { answer: events } = await booked(async () =>
      collect(await clients.openai.images.edit({ ...order, image: await picture(), stream: true })),
    )
    expect(events.at(-1)?.type).toBe('image_edit.completed')
  })

  test('varied', async () => {
    const { answer, other } = await booked(async () =>
      clients.openai.images.createVariation({
        model,
        image: await picture(),
        n: 2,
        size: '256x256',
        response_format: 'b64_json',
      }),
    )
    expect(answer.data).toHaveLength(2)
    expect(other).toMatchObject({ images: 2 })
  })
})

describe('rankings', () => {
  const query = 'red fox'
  const documents = ['Prime numbers', 'Red fox', 'The red fox']
  const order = [1, 2, 0]

  test('by Cohere’s client, new and old', async () => {
    const { answer, other } = await booked(() => clients.cohere.rerank({ model, query, documents }))
    expect(answer.results.map(({ index }) => index)).toEqual(order)
    expect(other).toMatchObject({ search_units: 1 })
    const old = await booked(() =>
      clients.cohereOld.rerank({
        model,
        query,
        documents: documents.map((text) => ({ text })),
        topN: 2,
        returnDocuments: true,
      }),
    )
    expect(old.answer.results).toMatchObject([
      { index: 1, document: { text: 'Red fox' } },
      { index: 2 },
    ])
    expect(old.other).toMatchObject({ search_units: 1 })
    expect(old.row.promptTokens).toBeGreaterThan(0)
  })

  test.each(['/rerank', '/v1/rerank'])('at %s', async (path) => {
    const { answer, row } = await booked(() =>
      pair.send(path, { body: { model, query, documents } }),
    )
    const {
      results,
      usage,
      model: named,
    } = answer.json<{
      results: { index: number }[]
      usage: { total_tokens: number }
      model: string
    }>()
    expect(results.map(({ index }) => index)).toEqual(order)
    expect(named).toBe(model)
    expect(row.promptTokens).toBe(usage.total_tokens)
  })
})

describe('what stands beside Responses', () => {
  const input = [{ role: 'user' as const, content: 'Hi there' }]

  test('a conversation is compacted', async () => {
    const { answer, row } = await booked(() => clients.openai.responses.compact({ model, input }))
    expect(answer.object).toBe('response.compaction')
    expect(answer.output.map(({ type }) => type)).toEqual(['message', 'compaction'])
    expect(row).toMatchObject({
      promptTokens: answer.usage.input_tokens,
      completionTokens: answer.usage.output_tokens,
    })
  })

  test('its tokens are counted, and cost nothing', async () => {
    const { answer, row } = await booked(() =>
      clients.openai.responses.inputTokens.count({ model, input }),
    )
    expect(answer).toEqual({
      object: 'response.input_tokens',
      input_tokens: expect.any(Number),
    })
    expect(answer.input_tokens).toBeGreaterThan(0)
    expect(row).toMatchObject({ promptTokens: 0, quota: 0 })
  })
})

describe('conversations bear the name that was asked for', () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }]

  test('of OpenAI', async () => {
    const chat = await booked(() => clients.openai.chat.completions.create({ model, messages }))
    expect(chat.answer.model).toBe(model)
    const responses = await booked(() => clients.openai.responses.create({ model, input: 'Hi' }))
    expect(responses.answer.model).toBe(model)
    expect(responses.answer.output_text).toBe('Echo: Hi')
  })

  test('of Anthropic', async () => {
    const { answer } = await booked(() =>
      clients.anthropic.messages.create({ model, messages, max_tokens: 50 }),
    )
    expect(answer.model).toBe(model)
  })

  test('of Google, with a picture beside the text', async () => {
    const config = { responseModalities: [Modality.TEXT, Modality.IMAGE] }
    const { answer, other } = await booked(() =>
      clients.google.models.generateContent({ model, contents: 'Hi', config }),
    )
    expect(answer.modelVersion).toBe(model)
    expect(answer.candidates?.[0]?.content?.parts?.[1]?.inlineData?.mimeType).toBe('image/png')
    expect(other.image_output).toBeGreaterThan(0)
  })
})

describe('what Echo refuses', () => {
  test('reaches each client as its own vendor’s refusal, and one row says why', async () => {
    const failed = async (run: () => Promise<unknown>) => {
      let error: unknown
      const row = await pair.rowAfter(async () => {
        error = await run().catch((thrown: unknown) => thrown)
      })
      expect(row).toMatchObject({ status: 400, type: 5, quota: 0 })
      return error
    }
    const speak = { model, voice: 'alloy', input: 'Hi', response_format: 'mp3' } as const
    expect(await failed(() => clients.openai.audio.speech.create(speak))).toMatchObject({
      status: 400,
      param: 'response_format',
    })
    const empty = { model, query: 'q', documents: ['a'], topN: 0.5 }
    expect(
      await failed(async () => clients.openai.embeddings.create({ model, input: '' })),
    ).toBeInstanceOf(OpenAI.BadRequestError)
    const many = { ...empty, topN: 1, documents: Array<string>(10_001).fill('a') }
    expect(await failed(async () => clients.cohere.rerank(many))).toMatchObject({
      statusCode: 400,
      body: { message: expect.stringContaining('documents') },
    })
  })
})

describe('a client that leaves in the middle', () => {
  const long = 'word '.repeat(700)

  test('of a streamed completion is booked as gone', async () => {
    const row = await pair.rowAfter(async () => {
      const asked = { model, prompt: long, max_tokens: 5000, stream: true } as const
      for await (const _chunk of await clients.openai.completions.create(asked)) break
    })
    expect(row).toMatchObject({ status: 499, isStream: true, model })
    expect(JSON.parse(row.other)).toMatchObject({ cancelled: true })
  })

  test('of speech is booked as gone too, whose characters were asked for', async () => {
    const leaving = new AbortController()
    const row = await pair.rowAfter(async () => {
      const speech = { model, voice: 'alloy', input: long } as const
      const answer = await clients.openai.audio.speech.create(speech, { signal: leaving.signal })
      const reader = answer.body?.getReader()
      await reader?.read()
      leaving.abort()
    })
    expect(row.status).toBe(499)
    expect(JSON.parse(row.other)).toMatchObject({ cancelled: true, characters: long.length })
  })
})
