import { Agent, request } from 'undici'
import type { WireFormat } from '../../../main/convert/exchange.ts'

type CallFormat = Exclude<WireFormat, 'responses'>

/** One call as far as it has come; it changes while the answer comes. */
export interface ModelCall {
  format: CallFormat
  stream: boolean
  /** The gateway's id of the call; '' until the head is there. */
  id: string
  /** 0 until the head is there. */
  status: number
  text: string
  /** The end of the body was there, not only the end of the connection. */
  isWhole: boolean
  /** Why the connection failed, or null. */
  failure: Error | null
  /** Resolves, and never rejects, when nothing more will come. */
  over: Promise<void>
}

/** As many connections as calls, each kept while the test runs. */
const agent = new Agent({ pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })

export const modelOf = (format: CallFormat): string => `${format}-model`

const pathOf = (format: CallFormat, stream: boolean): string =>
  format === 'chat'
    ? '/v1/chat/completions'
    : format === 'messages'
      ? '/v1/messages'
      : `/v1beta/models/${modelOf(format)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`

const bodyOf = (format: CallFormat, stream: boolean, text: string): object =>
  format === 'generate-content'
    ? { contents: [{ role: 'user', parts: [{ text }] }] }
    : {
        model: modelOf(format),
        messages: [{ role: 'user', content: text }],
        ...(format === 'messages' ? { max_tokens: 100 } : {}),
        stream,
      }

/** Sends a call with `text` as its prompt and takes what comes until nothing more does. */
export function callModel(
  url: string,
  key: string,
  {
    format = 'chat',
    stream = false,
    text = 'hi',
  }: { format?: CallFormat; stream?: boolean; text?: string },
): ModelCall {
  async function run(): Promise<void> {
    try {
      const answer = await request(url + pathOf(format, stream), {
        method: 'POST',
        dispatcher: agent,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
        },
        body: JSON.stringify(bodyOf(format, stream, text)),
      })
      call.status = answer.statusCode
      call.id = String(answer.headers['x-oneapi-request-id'] ?? '')
      for await (const chunk of answer.body) call.text += chunk
      call.isWhole = true
    } catch (error) {
      call.failure = error as Error
    }
  }
  const call: ModelCall = {
    ...{ format, stream, id: '', status: 0, text: '', isWhole: false, failure: null },
    over: Promise.resolve(),
  }
  call.over = run()
  return call
}

/** Has the client been told that the answer is complete, whatever happened to the connection then? */
export function sawWholeAnswer(call: ModelCall): boolean {
  if (call.stream && call.format === 'chat') return call.text.includes('data: [DONE]')
  if (call.stream && call.format === 'messages') return call.text.includes('event: message_stop\n')
  return call.isWhole
}
