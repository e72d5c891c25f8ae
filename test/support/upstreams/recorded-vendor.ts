import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import type { RecordedRequest } from './scripted-upstream.ts'

const fixture = (path: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../fixtures', path))

/** Recorded answers of each vendor. */
export const recordedAnswers: Readonly<Record<WireFormat, { whole: Buffer; stream: Buffer }>> = {
  chat: {
    whole: fixture('openai-chat/text.json'),
    stream: fixture('openai-chat/tool-call-stream-turn2.response.sse'),
  },
  messages: {
    whole: fixture('anthropic-messages/tool-no-args.json'),
    stream: fixture('anthropic-messages/thinking-stream.response.sse'),
  },
  'generate-content': {
    whole: fixture('gemini/tool-call-gemini3.json'),
    stream: fixture('gemini/thought-signature-turn1.response.sse'),
  },
  responses: {
    whole: fixture('openai-responses/phase.json'),
    stream: fixture('openai-responses/text-and-tool-stream-turn2.response.sse'),
  },
}

/** Channel type and endpoint that speak each format. */
export const vendorOf: Readonly<Record<WireFormat, { type: number; endpoint: string }>> = {
  chat: { type: 1, endpoint: 'openai' },
  responses: { type: 1, endpoint: 'openai-response' },
  messages: { type: 14, endpoint: 'anthropic' },
  'generate-content': { type: 24, endpoint: 'gemini' },
}

/** The wire format of a request, by its path. */
export const formatOfRequest = ({ url }: Pick<RecordedRequest, 'url'>): WireFormat =>
  url.includes('/chat/')
    ? 'chat'
    : url.includes('/messages')
      ? 'messages'
      : url.includes('/responses')
        ? 'responses'
        : 'generate-content'

export const isStreamRequest = ({ url, body }: RecordedRequest): boolean =>
  url.includes('streamGenerateContent') || /"stream":\s*true/.test(body.toString())
