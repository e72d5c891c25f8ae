import { expect, test } from 'vitest'
import type { ChannelTarget, SocketCall } from '../../../main/adaptor/adaptor.ts'
import { adaptorFor, channelOf } from './channel-target.ts'

const call = (fields: Partial<SocketCall> = {}): SocketCall => ({
  format: 'realtime',
  model: 'gpt realtime/1',
  query: '',
  ...fields,
})

type Target = Partial<ChannelTarget> & { type: number }

const urlOf = (target: Target, fields?: Partial<SocketCall>): string => {
  const channel = channelOf(target.type, target)
  return adaptorFor(channel).socketTarget?.(channel, call(fields)).url ?? 'none'
}

test.each([
  [{ type: 1 }, {}, 'wss://api.openai.com/v1/realtime?model=gpt+realtime%2F1'],
  [{ type: 1 }, { query: 'call_id=rtc_1' }, 'wss://api.openai.com/v1/realtime?call_id=rtc_1'],
  [
    { type: 1 },
    { query: 'intent=transcription' },
    'wss://api.openai.com/v1/realtime?intent=transcription',
  ],
  [
    { type: 1, baseUrl: 'http://127.0.0.1:8000' },
    { query: 'intent=transcription', model: 'm' },
    'ws://127.0.0.1:8000/v1/realtime?intent=transcription&model=m',
  ],
  [
    { type: 1, baseUrl: 'https://host/v1/realtime' },
    { model: 'm' },
    'wss://host/v1/realtime?model=m',
  ],
  [{ type: 1 }, { format: 'responses', model: '' }, 'wss://api.openai.com/v1/responses'],
  [
    { type: 3, baseUrl: 'https://r.openai.azure.com' },
    { model: 'd' },
    'wss://r.openai.azure.com/openai/v1/realtime?model=d',
  ],
  [
    { type: 3, baseUrl: 'https://r.openai.azure.com', other: '2025-04-01-preview' },
    { model: 'd' },
    'wss://r.openai.azure.com/openai/realtime?api-version=2025-04-01-preview&deployment=d',
  ],
] as const)('%o and %o are asked at %s', (target, fields, url) => {
  expect(urlOf(target, fields)).toBe(url)
})

test('Azure documents no Responses over a WebSocket', () => {
  const azure = { type: 3, baseUrl: 'https://r.openai.azure.com' }
  expect(() => urlOf(azure, { format: 'responses' })).toThrow('over HTTP only')
})
