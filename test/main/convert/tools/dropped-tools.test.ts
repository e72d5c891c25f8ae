import { expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { smallCall } from '../../../support/stages/converting-through.ts'
import { objectsOf } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

/** An answer in which a tool of the vendor's that no other format can show stands between two texts. */
const answers: Partial<Record<WireFormat, Json>> = {
  messages: {
    ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    content: [
      { type: 'text', text: 'This is simply' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'memory', input: {} },
      { type: 'memory_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      { type: 'text', text: '4.2 + 2 = 6.2.' },
    ],
    usage: { input_tokens: 3, output_tokens: 1 },
  },
  'generate-content': {
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts: [
            { text: 'This is simply' },
            { toolCall: { toolType: 'FILE_SEARCH', id: 'a' } },
            { toolResponse: { toolType: 'FILE_SEARCH', id: 'a' } },
            { text: '4.2 + 2 = 6.2.' },
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
  },
  responses: {
    ...{ id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed' },
    output: ['This is simply', null, '4.2 + 2 = 6.2.'].map((text, index) =>
      text === null
        ? { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', outputs: [] }
        : {
            ...{ type: 'message', id: `msg_${index}`, role: 'assistant' },
            content: [{ type: 'output_text', text, annotations: [] }],
          },
    ),
    usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
  },
}

/** All texts, or all thoughts, put together as that format's SDK does it. */
const joinedOf: Readonly<Record<WireFormat, (body: Json, thoughts: boolean) => string>> = {
  chat: ({ choices }, thoughts) => {
    const [choice] = choices as { message?: Json; delta?: Json }[]
    const fields = choice?.message ?? choice?.delta
    return String((thoughts ? fields?.reasoning_content : fields?.content) ?? '')
  },
  messages: ({ content, delta }, thoughts) =>
    [...((content ?? []) as Json[]), (delta ?? {}) as Json]
      .map(({ text, thinking }) => (thoughts ? thinking : text) ?? '')
      .join(''),
  'generate-content': ({ candidates }, thoughts) =>
    (candidates as { content: { parts: Json[] } }[])[0]?.content.parts
      .map(({ text, thought }) => ((thought === true) === thoughts ? (text ?? '') : ''))
      .join('') ?? '',
  responses: ({ output }) =>
    ((output ?? []) as { content?: Json[] }[])
      .flatMap(({ content = [] }) => content.map(({ text }) => text))
      .join(''),
}

const pairs = (['chat', 'messages', 'generate-content', 'responses'] as const).flatMap((client) =>
  Object.entries(answers).flatMap(([upstream, answer]) =>
    upstream === client ? [] : [[client, upstream as WireFormat, answer] as const],
  ),
)

test.each(pairs)('a %s client of a %s vendor reads a blank line where its tool stood', (...one) => {
  const [client, upstream, answer] = one
  const { whole, spread } = smallCall(client, upstream)
  const isShown = JSON.stringify(whole(answer)).includes('code_interpreter_call')
  const text = `This is simply${isShown ? '' : '\n\n'}4.2 + 2 = 6.2.`
  expect(joinedOf[client](whole(answer), false)).toBe(text)
  const events = objectsOf(spread(answer))
  const told =
    client === 'responses' ? events.slice(-1).map(({ response }) => response as Json) : events
  expect(told.map((event) => joinedOf[client](event, false)).join('')).toBe(text)
})

test('the sources of a text behind a blank line stay in their place', () => {
  const answer = structuredClone(answers.responses) as { output: { content: Json[] }[] }
  const source = { type: 'url_citation', url: 'https://a.example', title: 'A' }
  Object.assign(answer.output[2]?.content[0] ?? {}, {
    annotations: [{ ...source, start_index: 0, end_index: 3 }],
  })
  const { whole } = smallCall('messages', 'responses')
  const cited = expect.objectContaining({ cited_text: '4.2' })
  expect(whole(answer).content).toContainEqual(expect.objectContaining({ citations: [cited] }))
})

test.each(['messages', 'responses'] as const)(
  'two thoughts of a %s vendor are two paragraphs for a Gemini client',
  (upstream) => {
    const answer = structuredClone(answers[upstream]) as { content: Json[]; output: Json[] }
    if (upstream === 'messages') {
      answer.content.unshift(
        { type: 'thinking', thinking: 'First.', signature: 'a' },
        { type: 'thinking', thinking: 'Second.', signature: 'b' },
      )
    } else {
      const thought = (text: string) => ({
        ...{ type: 'reasoning', id: `rs_${text}`, summary: [{ type: 'summary_text', text }] },
      })
      answer.output.unshift(thought('First.'), thought('Second.'))
    }
    const { whole, spread } = smallCall('generate-content', upstream)
    const joined = joinedOf['generate-content']
    expect(joined(whole(answer), true)).toBe('First.\n\nSecond.')
    expect(
      objectsOf(spread(answer))
        .map((chunk) => joined(chunk, true))
        .join(''),
    ).toBe('First.\n\nSecond.')
  },
)
