import { expect, test } from 'vitest'
import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import type { Conversion } from '../../../../main/convert/conversion.ts'
import type { ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import { spreadResponse } from '../../../../main/convert/stream/spread-response.ts'
import { fitTools } from '../../../../main/convert/tools/fit-tools.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { asJson, eventsIn, partsOf, target } from './wire-ways.ts'

/** A client's body on its way to an upstream, as the relay takes it there. */
function carried(from: Conversion, to: Conversion, model: string, body: Json): Json {
  const request = from.decodeRequest(body, {})
  const rules = modelRules(to.format, model)
  const loss = new Loss(from.fieldNames)
  const fitted = fitTools(request, to, rules, loss)
  return asJson(to.encodeRequest(fitted.request, { model, rules, loss }))
}

const answered = (client: Conversion, body: Json, response: ExchangeResponse): Json =>
  asJson(client.encodeResponse(response, target({ request: client.decodeRequest(body, {}) })))

/** Gemini 3's answer in the recorded loop. */
function recordedAnswer(): ExchangeResponse {
  const collected = collectStream()
  const bytes = readFixture('gemini/thought-signature-turn1.response.sse')
  for (const part of partsOf(eventsIn([bytes]))) collected.push(part)
  return collected.response()
}

const question = { role: 'user', content: 'What is the capital of the user country? Call the tool' }
const signature = JSON.parse(
  String(readFixture('gemini/thought-signature-turn1.response.sse'))
    .split('\n')[0]
    ?.slice(6) as string,
).candidates[0].content.parts[0].thoughtSignature as string

/** The calls and results that reach Google in the second turn. */
function secondTurn(body: Json): Json[] {
  const contents = body.contents as { role: string; parts: Json[] }[]
  expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user'])
  return [...(contents[1]?.parts ?? []), ...(contents[2]?.parts ?? [])]
}

test('Gemini’s signature comes back to its call through an Anthropic client', () => {
  const first = { model: 'm', max_tokens: 100, messages: [question] }
  const answer = answered(messagesConversion, first, recordedAnswer())
  const content = answer.content as Json[]
  const use = content.find(({ type }) => type === 'tool_use') as Json
  const second = {
    ...first,
    messages: [
      question,
      { role: 'assistant', content },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: use.id, content: '{"return_value":"Mexico"}' },
        ],
      },
    ],
  }
  const body = carried(
    messagesConversion,
    generateContentConversion,
    'gemini-3-pro-preview',
    second,
  )
  expect(secondTurn(body)).toEqual([
    { functionCall: { id: use.id, name: 'get_country', args: {} }, thoughtSignature: signature },
    { functionResponse: { id: use.id, name: 'get_country', response: { return_value: 'Mexico' } } },
  ])
})

test('Gemini’s signature comes back to its call through a Chat client', () => {
  const first = { model: 'm', messages: [question] }
  const answer = answered(chatConversion, first, recordedAnswer())
  const { message } = (answer.choices as { message: Json }[])[0] as { message: Json }
  const [call] = message.tool_calls as { id: string }[]
  const second = {
    ...first,
    messages: [question, message, { role: 'tool', tool_call_id: call?.id, content: 'Mexico' }],
  }
  const body = carried(chatConversion, generateContentConversion, 'gemini-3-pro-preview', second)
  expect(secondTurn(body)).toEqual([
    { functionCall: { id: call?.id, name: 'get_country', args: {} }, thoughtSignature: signature },
    { functionResponse: { id: call?.id, name: 'get_country', response: { output: 'Mexico' } } },
  ])
})

const readJson = (name: string) => JSON.parse(String(readFixture(name))) as Json

test.each(['with its thoughts', 'without them, as Gemini CLI'])(
  'Claude’s signature comes back through a Gemini client that echoes %s',
  (kind) => {
    const response = messagesConversion.decodeResponse(
      readJson('anthropic-messages/thinking-tool-turn1.response.json'),
    )
    const recorded = readJson('anthropic-messages/thinking-tool-turn2.request.json')
    const ask = { role: 'user', parts: [{ text: 'What is the largest city?' }] }
    const encoder = generateContentConversion.createEncoder(target())
    const stream = spreadResponse(response).map((part) => encoder.push(part))
    const contents = eventsIn([Buffer.from(stream.join(''))]).flatMap(({ data }) =>
      (JSON.parse(data).candidates as { content: { parts: Json[] } }[]).map(
        ({ content }) => content,
      ),
    )
    const isCli = kind !== 'with its thoughts'
    const echoed = contents.map((content) => ({
      ...content,
      parts: content.parts.filter((part) => !isCli || part.thought !== true),
    }))
    const call = contents.flatMap(({ parts }) => parts).find((part) => part.functionCall)
      ?.functionCall as Json
    const reply = { functionResponse: { name: call.name, id: call.id, response: { output: 'x' } } }
    const body = carried(generateContentConversion, messagesConversion, 'claude-opus-4-5', {
      contents: [ask, ...echoed, { role: 'user', parts: [reply] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 3000 } },
    })
    const thought = (messages: unknown) =>
      (messages as { role: string; content: Json[] }[])
        .find(({ role }) => role === 'assistant')
        ?.content.find(({ type }) => type === 'thinking') as Json
    const wanted = thought(recorded.messages)
    // Anthropic refuses a signature whose text is not what its model wrote.
    expect(thought(body.messages)).toMatchObject(wanted)
  },
)
