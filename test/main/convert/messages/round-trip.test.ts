import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Loss } from '../../../../main/convert/loss.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { recordedStreams } from '../../../support/recordings/fixtures.ts'
import {
  answerTarget,
  collected,
  decodePieces,
  encodeParts,
  type Fields,
  readJson,
} from './exchange-parts.ts'

const files = readdirSync('test/fixtures/anthropic-messages')
const requests = files.filter((name) => name.endsWith('.request.json'))
const answers = files.filter(
  (name) =>
    name.endsWith('.json') && !requests.includes(name) && name !== 'count-tokens.response.json',
)
const streams = recordedStreams.filter(({ format }) => format === 'messages')

const asBlocks = (content: unknown): unknown =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Two spellings of one thing made one: a text and its only block, false and nothing. */
function plain(body: Fields): Fields {
  const { system, stream, messages, ...rest } = body
  return {
    ...rest,
    ...(system === undefined ? {} : { system: asBlocks(system) }),
    ...(stream ? { stream } : {}),
    messages: (messages as Fields[]).map((message) => ({
      ...message,
      content: (asBlocks(message.content) as Fields[]).map(({ is_error, ...block }) => ({
        ...block,
        ...(block.type === 'tool_result' ? { content: asBlocks(block.content) } : {}),
        ...(is_error ? { is_error } : {}),
      })),
    })),
  }
}

test.each(requests)('%s comes out as it went in', (name) => {
  const body = readJson(name)
  const model = String(body.model)
  const loss = new Loss(messagesConversion.fieldNames)
  const request = messagesConversion.decodeRequest(body, {})
  const target = { model, rules: modelRules('messages', model), loss }
  const encoded = messagesConversion.encodeRequest(request, target)
  if (!('max_tokens' in body)) delete encoded.max_tokens
  expect(plain(encoded)).toEqual(plain(body))
  expect(loss.entries).toEqual([])
})

/** The same but for id and model, which are the gateway's; fields may come to it. */
const own = ({ id: _, model: __, ...message }: Fields): Fields => message

test.each(answers)('%s keeps every field', (name) => {
  const body = readJson(name)
  const encoded = messagesConversion.encodeResponse(
    messagesConversion.decodeResponse(body),
    answerTarget(),
  )
  expect(encoded).toMatchObject(own(body))
  expect((encoded.content as unknown[]).length).toBe((body.content as unknown[]).length)
})

test.each(streams)('$name is the same answer however its bytes are cut', ({ bytes }) => {
  const whole = decodePieces([bytes])
  expect(whole.at(-1)).toEqual({ type: 'response-end' })
  for (let seed = 1; seed <= 5; seed++)
    expect(decodePieces(cutAtRandom(bytes, seed))).toEqual(whole)
  const single = Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1))
  expect(decodePieces(single)).toEqual(whole)
})

test.each(streams)('$name, cut off before its last event, has no end', ({ bytes }) => {
  const cut = bytes.lastIndexOf('event: message_stop')
  expect(decodePieces([bytes.subarray(0, cut)]).at(-1)?.type).not.toBe('response-end')
})

test.each(streams)('$name, written again, is the same answer', ({ bytes }) => {
  const parts = decodePieces([bytes])
  const again = decodePieces([Buffer.from(encodeParts(parts))])
  const { id: _, model: __, ...first } = collected(parts)
  const { id: ___, model: ____, ...second } = collected(again)
  const sameModel = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/"model":"[^"]*"/g, '"model":""')) as unknown
  expect(sameModel(second)).toEqual(sameModel(first))
})
