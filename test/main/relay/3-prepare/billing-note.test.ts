import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  claudeCodeFirst,
  claudeCodeHeaders,
  claudeCodeLater,
} from '../../../support/agent-requests/claude-code.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import { vendorReply } from '../../../support/upstreams/vendor-replies.ts'

const NOTE = 'x-anthropic-billing-header: cc_version=2.1.181.8f2; cc_entrypoint=cli; cch=a1b2c;'
const block = JSON.stringify({ type: 'text', text: NOTE })

/** Odd spacing, numbers and order, which no serializer would write. */
const around = (note: string) =>
  `{ "max_tokens":1e2,\n "system" : [ ${note} {"type":"text", "text":"Ä \\" ] }, \\u00e9"}\t] ,"messages":[{"role":"user","content":"hi"}],"model":"messages-model" }`

let pair: Pair
beforeAll(async () => {
  pair = await startPair({ handler: vendorReply })
})
afterAll(() => pair.close())

const sent = async (body: string | Buffer | object): Promise<Buffer> => {
  const answer = await pair.send('/v1/messages', { body, headers: claudeCodeHeaders })
  expect(answer.status, answer.text).toBe(200)
  return pair.upstream.last().body
}

const setting = (value: boolean | undefined) => {
  const channel = pair.gateway.parts.channels.all().find(({ name }) => name === 'messages vendor')
  const settings = value === undefined ? {} : { strip_billing_header: value }
  pair.gateway.parts.channels.update(channel?.id ?? 0, { settings })
}

describe('Claude Code’s billing note on its way to another vendor', () => {
  test('is left out, and every byte outside of it stays as it was', async () => {
    expect((await sent(around(`${block},`))).toString()).toBe(around(''))
  })

  test('goes out of a body of many pieces', async () => {
    const long = 'x'.repeat(300_000)
    const body = around(`${block},`).replace('"hi"', `"${long}"`)
    expect((await sent(body)).toString()).toBe(around('').replace('"hi"', `"${long}"`))
  })

  test('goes out where other fields are set too', async () => {
    const channel = pair.addChannelOf('messages', {
      ...{ models: ['alias'], modelMapping: { alias: 'messages-model' } },
    })
    const text = (await sent(around(`${block},`).replace('messages-model', 'alias'))).toString()
    pair.gateway.parts.channels.remove([channel.id])
    expect(text).toBe(around(''))
  })

  test.each([
    ['alone in its prompt', around(`${block},`).replace(/,? \{"type":"text", .*?"\}/, '')],
    [
      'with other words behind it',
      around(`${JSON.stringify({ type: 'text', text: `${NOTE}\nBe kind.` })},`),
    ],
    ['in a later block', around(`{"type":"text","text":"Hello."},${block},`)],
    [
      'in a prompt that is a text',
      '{"model":"messages-model","max_tokens":9,"system":"x-anthropic-billing-header: a","messages":[{"role":"user","content":"hi"}]}',
    ],
  ])('stays %s', async (_name, body) => {
    expect((await sent(body)).toString()).toBe(body)
  })

  test('stays, as all bytes do, where the channel says so', async () => {
    setting(false)
    expect((await sent(around(`${block},`))).toString()).toBe(around(`${block},`))
    setting(undefined)
  })

  test('goes out of real requests, first and later ones', async () => {
    for (const body of [claudeCodeFirst('messages-model'), claudeCodeLater('messages-model')]) {
      const { system } = JSON.parse((await sent(body)).toString())
      expect(system).toEqual(body.system.slice(1))
    }
  })

  test('goes out of a body that is written anew in its own format', async () => {
    const channel = pair.addChannelOf('messages', {
      ...{ models: ['streams-only'], settings: { upstream_stream: 'always' } },
    })
    const { stream: _stream, ...body } = claudeCodeFirst('streams-only')
    const { system, stream } = JSON.parse((await sent(body)).toString())
    pair.gateway.parts.channels.remove([channel.id])
    expect(stream).toBe(true)
    expect(JSON.stringify(system)).not.toContain('x-anthropic-billing')
  })

  test.each(['chat-model', 'gemini-model'])('is in no converted request: %s', async (model) => {
    expect((await sent(claudeCodeFirst(model))).toString()).not.toContain('x-anthropic-billing')
  })
})
