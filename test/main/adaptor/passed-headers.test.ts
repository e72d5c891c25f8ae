import { describe, expect, test } from 'vitest'
import { adaptorOf, channelTypes } from '../../../main/adaptor/adaptors.ts'
import type { CallFormat } from '../../../main/convert/call-format.ts'
import { adaptorFor, channelOf } from './channel-target.ts'

const formats: CallFormat[] = [
  'chat',
  'messages',
  'responses',
  'generate-content',
  'embeddings',
  'batch-embed-contents',
  'transcriptions',
  'speech',
  'cohere-rerank',
  'realtime',
]

const passed = (type: number, format: CallFormat, names: string[], fields = {}) => {
  const channel = channelOf(type, fields)
  return names.filter((name) => adaptorFor(channel).passesHeader(name, channel, format))
}

test('no credential, cookie or length ever passes to any vendor', () => {
  const secret = [
    'authorization',
    'x-api-key',
    'x-goog-api-key',
    'api-key',
    'cookie',
    'host',
    'content-length',
    'content-type',
    'content-encoding',
    'accept-encoding',
    'connection',
    'transfer-encoding',
    'openai-organization',
    'openai-project',
    'x-forwarded-for',
    'new-api-user',
  ]
  for (const { type } of channelTypes) {
    for (const format of formats) {
      for (const name of secret) {
        const channel = channelOf(type, { baseUrl: 'https://api.openai.com' })
        expect(adaptorOf(type)?.passesHeader(name, channel, format), `${type} ${name}`).toBe(false)
      }
    }
  }
})

describe('what a client says with its call', () => {
  const anthropic = ['anthropic-version', 'anthropic-beta', 'x-claude-code-session-id', 'x-app']
  const codex = ['originator', 'session-id', 'x-codex-turn-state', 'x-client-request-id']

  test('Anthropic’s headers go to Anthropic’s format only', () => {
    expect(passed(14, 'messages', anthropic)).toEqual(anthropic)
    expect(passed(43, 'messages', anthropic)).toEqual(anthropic.slice(0, 3))
    expect(passed(43, 'chat', anthropic)).toEqual([])
    expect(passed(24, 'generate-content', anthropic)).toEqual([])
  })

  test('Codex’ headers go to OpenAI’s own host only', () => {
    expect(passed(1, 'responses', codex)).toEqual(codex)
    expect(passed(1, 'responses', codex, { baseUrl: 'https://host.example' })).toEqual([
      'x-client-request-id',
    ])
    expect(passed(48, 'responses', codex)).toEqual(['x-client-request-id'])
  })

  test('what a client says of itself goes to the vendor whose format it calls, whatever the call', () => {
    const itself = ['user-agent', 'x-stainless-lang', 'idempotency-key']
    expect(passed(1, 'transcriptions', itself)).toEqual(itself)
    expect(passed(40, 'transcriptions', itself)).toEqual(['idempotency-key'])
    expect(passed(3, 'speech', itself, { baseUrl: 'https://mine.openai.azure.com' })).toEqual([
      'idempotency-key',
    ])
    const google = ['user-agent', 'x-goog-api-client', 'idempotency-key']
    expect(passed(24, 'batch-embed-contents', google)).toEqual(google.slice(0, 2))
    expect(passed(24, 'generate-content', google, { baseUrl: 'https://host.example' })).toEqual([])
    expect(passed(1, 'embed-content', google)).toEqual([])
  })
})
