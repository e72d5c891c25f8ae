import type Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { assistant, CachingStage, LONG, MARK, MODEL, system, user } from './caching-stage.ts'

/** Some 6000 tokens. */
const LONGER = 'What was said before. '.repeat(1100)

let stage: CachingStage

beforeAll(async () => {
  stage = await CachingStage.open()
})
afterAll(() => stage.gateway.close())
beforeEach(() => stage.begin())
afterEach(async () => {
  vi.useRealTimers()
  await stage.end()
})

describe('a marked system prompt', () => {
  const tools = [
    {
      name: 'look',
      description: 'Looks',
      input_schema: { type: 'object' as const, properties: {} },
    },
  ]

  test('is cached at Google with the tools, and the call names it and says the rest', async () => {
    const { usage, cache, lost, other } = await stage.ask({ tools, tool_choice: { type: 'any' } })
    const [creating] = stage.made()
    expect(creating).toMatchObject({ model: `models/${MODEL}`, ttl: '300s' })
    expect(Object.keys(creating ?? {}).sort()).toEqual(
      ['displayName', 'model', 'systemInstruction', 'toolConfig', 'tools', 'ttl'].sort(),
    )
    const [sent] = stage.google.generated()
    expect(sent).toMatchObject({
      cachedContent: 'cachedContents/c1',
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    })
    expect(sent).not.toHaveProperty('systemInstruction')
    expect(sent).toHaveProperty('generationConfig')
    const tokens = stage.firstTokens
    expect(usage).toMatchObject({ cache_creation_input_tokens: tokens, cache_read_input_tokens: 0 })
    expect(cache).toMatchObject({ action: 'made', tokens, ttl: 300 })
    expect(lost).toBe('')
    expect(other.loss).toEqual([])
  })

  test('is read from the cache by the next call', async () => {
    await stage.ask()
    const { usage, cache, row } = await stage.ask({ messages: [user('And you?')] })
    const tokens = stage.firstTokens
    expect(stage.made()).toHaveLength(1)
    expect(usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: tokens })
    expect(cache).toMatchObject({ action: 'used', tokens })
    expect(row.cachedTokens).toBe(tokens)
  })

  test('is made once for calls at the same time', async () => {
    stage.google.beforeMaking = () => new Promise((resolve) => setTimeout(resolve, 30))
    const all = await Promise.all([stage.ask(), stage.ask(), stage.ask(), stage.ask()])
    expect(stage.made()).toHaveLength(1)
    expect(stage.google.generated().every(({ cachedContent }) => cachedContent)).toBe(true)
    const written = all.filter(({ usage }) => usage.cache_creation_input_tokens)
    expect(written).toHaveLength(1)
  })

  test('works with a stream, whose usage tells what was written', async () => {
    const stream = stage.anthropic.messages.stream({
      ...{ model: MODEL, max_tokens: 100, system: system(), messages: [user('Hi')] },
    })
    const { usage, content } = await stream.finalMessage()
    const tokens = stage.firstTokens
    expect(content).toMatchObject([{ type: 'text', text: 'Hello' }])
    expect(usage).toMatchObject({ cache_creation_input_tokens: tokens, cache_read_input_tokens: 0 })
  })

  test('works with a body so large that another thread converts it', async () => {
    const huge = system('A word and another one. '.repeat(60_000))
    const first = await stage.ask({ system: huge })
    const second = await stage.ask({ system: huge, messages: [user('And you?')] })
    expect(stage.made()).toHaveLength(1)
    expect(first.cache).toMatchObject({ action: 'made' })
    expect(second.cache).toMatchObject({ action: 'used' })
    expect(JSON.stringify(stage.google.generated())).not.toContain('another one')
  })

  test('is told in an answer so large that another thread converts it', async () => {
    stage.google.says = 'A word and another one. '.repeat(50_000)
    const { usage, row } = await stage.ask()
    expect(usage.cache_creation_input_tokens).toBe(stage.firstTokens)
    expect(JSON.parse(row.other)).toMatchObject({ cache_creation_tokens: stage.firstTokens })
  })

  test('works for an OpenAI client that marks as OpenRouter’s do', async () => {
    const openai = new OpenAI({
      baseURL: `${stage.gateway.url}/v1`,
      apiKey: stage.gateway.key,
      maxRetries: 0,
    })
    const text = { type: 'text' as const, text: LONG, cache_control: MARK }
    const call = () =>
      openai.chat.completions.create({
        model: MODEL,
        messages: [
          { role: 'system', content: [text] },
          { role: 'user', content: 'Hi' },
        ],
      })
    await call()
    const { usage } = await call()
    expect(stage.made()).toHaveLength(1)
    const tokens = stage.firstTokens
    expect(usage?.prompt_tokens_details?.cached_tokens).toBe(tokens)
  })

  test('is counted whole, without a cache', async () => {
    const { input_tokens } = await stage.anthropic.messages.countTokens({
      ...{ model: MODEL, system: system(), messages: [user('Hi')] },
    })
    expect(input_tokens).toBe(7)
    expect(stage.made()).toHaveLength(0)
  })

  test('is sent whole where the channel does not cache', async () => {
    stage.gateway.parts.channels.update(stage.channel.id, { settings: {} })
    const { lost, other } = await stage.ask()
    expect(stage.google.requests).toHaveLength(1)
    expect(stage.google.generated()[0]).toHaveProperty('systemInstruction')
    expect(lost).toContain('system[0].cache_control')
    expect(other).not.toHaveProperty('explicit_cache')
  })
})

describe('a marked conversation', () => {
  test('is cut inside the user’s turn, behind the marked document', async () => {
    const content = [
      { type: 'text' as const, text: LONG, cache_control: MARK },
      { type: 'text' as const, text: 'What does it say?' },
    ]
    const { cache } = await stage.ask({ system: 'Be kind', messages: [{ role: 'user', content }] })
    expect(cache).toMatchObject({ action: 'made' })
    expect(stage.made()[0]).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: LONG }] }],
      systemInstruction: { parts: [{ text: 'Be kind' }] },
    })
    expect(stage.google.generated()[0]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'What does it say?' }] },
    ])
  })

  test('is cached up to a turn of the user’s before the mark, for something must be left to send', async () => {
    const messages = [user(LONG), assistant('Yes'), user('And now?', true)]
    const { cache, lost } = await stage.ask({ system: 'Be kind', messages })
    expect(cache).toMatchObject({ action: 'made' })
    expect(stage.made()[0]?.contents).toEqual([{ role: 'user', parts: [{ text: LONG }] }])
    expect(stage.google.generated()[0]?.contents).toEqual([
      { role: 'model', parts: [{ text: 'Yes' }] },
      { role: 'user', parts: [{ text: 'And now?' }] },
    ])
    expect(lost).toBe('approximated messages[2].content[0].cache_control')
  })

  test('is cached as well where the request as a whole is marked', async () => {
    const messages = [user(LONG), assistant('Yes'), user('And now?')]
    const { cache, lost } = await stage.ask({
      ...{ system: 'Be kind', messages },
      cache_control: { type: 'ephemeral', ttl: '1h' },
    })
    expect(cache).toMatchObject({ action: 'made', ttl: 3600 })
    expect(stage.made()[0]?.contents).toHaveLength(1)
    expect(lost).toBe('approximated cache_control')
  })

  test('never ends a cache with a tool’s result', async () => {
    const use = { type: 'tool_use' as const, id: 'toolu_1', name: 'look', input: {} }
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'Seen' }
    const messages: Anthropic.MessageParam[] = [
      user(LONG),
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ ...result, cache_control: MARK }] },
      assistant('Well'),
      user('Go on'),
    ]
    const { cache } = await stage.ask({ messages })
    expect(cache).toMatchObject({ action: 'made' })
    expect(stage.made()[0]?.contents).toHaveLength(1)
  })

  test('of one marked turn has nothing that could be cached', async () => {
    const { cache, lost } = await stage.ask({ system: '', messages: [user(LONG, true)] })
    expect(cache.why).toMatch(/no whole part before this mark/)
    expect(stage.made()).toHaveLength(0)
    expect(lost).toBe('dropped messages[0].content[0].cache_control')
  })

  test('goes on with the cache of a shorter prefix until it is twice as long', async () => {
    await stage.ask({ messages: [user(LONG, true), assistant('Yes'), user('One')] })
    const messages = [user(LONG), assistant('Yes'), user('One', true), assistant('Two'), user('3')]
    const { cache, lost } = await stage.ask({ messages })
    expect(cache).toMatchObject({ action: 'used' })
    expect(stage.made()).toHaveLength(1)
    expect(stage.google.generated()[1]?.contents).toHaveLength(4)
    expect(lost).toContain('approximated messages[2].content[0].cache_control')
  })

  test('that has become twice as long gets a cache of its own, and the shorter one ends', async () => {
    await stage.ask({ messages: [user(LONG, true), assistant('Yes'), user('One')] })
    const messages = [user(LONG), assistant('Yes'), user(LONGER, true), assistant('Two'), user('3')]
    const { cache } = await stage.ask({ messages })
    expect(cache).toMatchObject({ action: 'made' })
    expect(stage.made()).toHaveLength(2)
    await expect.poll(() => [...stage.google.caches.keys()]).toEqual(['cachedContents/c2'])
  })
})
