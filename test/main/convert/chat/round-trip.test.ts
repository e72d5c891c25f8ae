import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import { parseExact } from '../../../../main/convert/json/exact-json.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { EventSplitter } from '../../../support/clients/split-events.ts'
import { readFixture, recordedStreams } from '../../../support/recordings/fixtures.ts'
import {
  answerTarget,
  choicesOf,
  chunksOf,
  encodeStream,
  eventsOf,
  type Json,
} from './small-exchange.ts'

const folder = join(import.meta.dirname, '../../../fixtures/openai-chat')
const named = (ending: string) => readdirSync(folder).filter((file) => file.endsWith(ending))
const read = (file: string) => parseExact(String(readFixture(`openai-chat/${file}`))) as Json

/** Without what says nothing: null, empty lists, and the list around one text. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([, one]) => one !== null && !(Array.isArray(one) && one.length === 0))
    .map(([name, one]) => [name, plain(one)] as const)
  return Object.fromEntries(
    entries.map(([name, one]) => {
      const [only, ...more] = Array.isArray(one) ? one : []
      const isText = name === 'content' && only?.type === 'text' && more.length === 0
      return [name, isText ? only.text : one]
    }),
  )
}

describe('requests', () => {
  test.each(named('.request.json'))('%s is the same after decoding and encoding', (file) => {
    const body = read(file)
    const loss = new Loss(chatConversion.fieldNames)
    const model = String(body.model)
    const encoded = chatConversion.encodeRequest(chatConversion.decodeRequest(body, {}), {
      model,
      rules: modelRules('chat', model),
      loss,
    })
    expect(plain(encoded)).toEqual(plain(body))
    expect(loss.header()).toBe('')
  })
})

describe('answers', () => {
  test('choices that come in another order are put in that of their numbers', () => {
    const choice = (index: number) => ({
      index,
      message: { role: 'assistant', content: `${index}` },
    })
    const { choices } = chatConversion.decodeResponse({
      choices: [choice(2), choice(0), choice(1)],
    })
    expect(choices.map(({ parts }) => parts)).toMatchObject([
      [{ text: '0' }],
      [{ text: '1' }],
      [{ text: '2' }],
    ])
  })

  const answers = [...named('.response.json'), 'text.json']
  test.each(answers)('%s is the same after decoding and encoding', (file) => {
    const body = read(file)
    const encoded = chatConversion.encodeResponse(
      chatConversion.decodeResponse(body),
      answerTarget(),
    )
    const { id, created, model } = encoded
    expect(plain(encoded)).toEqual(plain({ ...body, id, created, model }))
  })
})

describe('streams', () => {
  const streams = recordedStreams.filter(({ format }) => format === 'chat')

  /** The answer that a stream tells, put together by a client that knows nothing of vendors' habits. */
  function gather(chunks: readonly Json[]): Json {
    const gathered: Json = { content: '', reasoning: '', calls: [], finish: [] }
    const calls: Json[] = []
    for (const choice of choicesOf(chunks)) {
      const delta = choice.delta as Json
      gathered.content = `${gathered.content}${delta.content ?? ''}`
      gathered.reasoning = `${gathered.reasoning}${delta.reasoning_content ?? ''}`
      for (const one of (delta.tool_calls ?? []) as Json[]) {
        const index = one.index as number
        const call = calls[index] ?? {}
        calls[index] = call
        const inner = one.function as Json
        if (one.id) call.id = one.id
        if (inner.name) call.name = inner.name
        call.arguments = `${call.arguments ?? ''}${inner.arguments ?? ''}`
      }
      if (choice.finish_reason) (gathered.finish as unknown[]).push(choice.finish_reason)
    }
    gathered.calls = calls.filter((call) => call)
    return gathered
  }

  const usageOf = (chunks: readonly Json[]) => {
    const { usage } = chunks.findLast((one) => one.usage) ?? {}
    return usage as Json | undefined
  }

  const decode = (events: ReturnType<typeof eventsOf>) => {
    const decoder = chatConversion.createDecoder()
    return [...events.flatMap((event) => decoder.push(event)), ...decoder.end()]
  }

  test.each(streams)('$name says the same after decoding and encoding', ({ bytes }) => {
    const parts = decode(eventsOf(bytes))
    expect(parts.at(-1)).toEqual({ type: 'response-end' })
    const before = chunksOf(String(bytes))
    const text = encodeStream(parts)
    const after = chunksOf(text)
    expect(gather(after)).toEqual(gather(before))
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const told = usageOf(before)
    if (told) expect(usageOf(after)).toMatchObject({ prompt_tokens: told.prompt_tokens })
    if (told) expect(usageOf(after)).toMatchObject({ total_tokens: told.total_tokens })
  })

  test.each(streams)('$name is read the same however it is cut', ({ bytes }) => {
    const whole = decode(eventsOf(bytes))
    for (let seed = 1; seed <= 20; seed++) {
      const splitter = new EventSplitter()
      const pieces = cutAtRandom(bytes, seed, seed === 1 ? 1 : 64)
      const events = pieces.flatMap((piece) => splitter.push(piece))
      expect(decode([...events, ...splitter.end()])).toEqual(whole)
    }
  })

  test.each(streams)('$name is one answer with ordered, closed blocks', ({ bytes }) => {
    const parts = decode(eventsOf(bytes))
    const starts = parts.flatMap((part) =>
      part.type.endsWith('-start') && 'block' in part ? [part.block] : [],
    )
    expect(starts).toEqual(starts.map((_, index) => index))
    const ends = parts.flatMap((part) =>
      part.type.endsWith('-end') && 'block' in part ? [part.block] : [],
    )
    expect(ends.toSorted((one, other) => one - other)).toEqual(starts)
    const collected = collectStream()
    for (const part of parts) collected.push(part)
    const response = collected.response()
    const encoded = chatConversion.encodeResponse(response, answerTarget())
    const [choice] = encoded.choices as { message: Json; finish_reason: string }[]
    const seen = gather(chunksOf(String(bytes)))
    expect(choice?.message.content ?? '').toBe(seen.content)
    expect(choice?.message.reasoning_content ?? '').toBe(seen.reasoning)
    expect([choice?.finish_reason]).toEqual(seen.finish)
  })
})
