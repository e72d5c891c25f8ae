import { gzipSync } from 'node:zlib'
import type { WireFormat } from '../../main/convert/exchange.ts'
import {
  recordedAnswerStreams,
  recordedAnswers,
  recordedErrors,
} from '../support/recordings/recorded-exchanges.ts'
import type { Attack } from './fault.ts'
import { Fault } from './fault.ts'
import { type Heard, judge, send } from './judge.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'
import { type Random, randomOf, seedOf } from './random.ts'
import type { Answer, Stage } from './stage.ts'

const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']

const asks: Readonly<
  Record<WireFormat, (model: string, stream: boolean) => { path: string; body: object }>
> = {
  chat: (model, stream) => ({
    path: '/v1/chat/completions',
    body: { model, stream, messages: [{ role: 'user', content: 'hi' }] },
  }),
  messages: (model, stream) => ({
    path: '/v1/messages',
    body: { model, stream, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] },
  }),
  responses: (model, stream) => ({ path: '/v1/responses', body: { model, stream, input: 'hi' } }),
  'generate-content': (model, stream) => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  }),
}

/** The end that a whole stream has in each format. */
const terminators: Readonly<Record<WireFormat, RegExp>> = {
  chat: /data: \[DONE\]/,
  messages: /event: message_stop/,
  responses: /event: response\.(?:completed|incomplete)/,
  'generate-content': /"finishReason"/,
}

/** The bytes in pieces of random length, so that anything may be cut anywhere. */
function inPieces(bytes: Buffer, random: Random): Buffer[] {
  if (random.chance(0.5)) return [bytes]
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length && pieces.length < 50; ) {
    const length = pieces.length === 49 ? bytes.length : 1 + random.integer(400)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

/** A recorded answer of a vendor with faults in it, in the format of this upstream. */
function answerOf(format: WireFormat, stream: boolean, random: Random): Answer {
  const isStream = random.chance(0.1) ? !stream : stream
  const of = <Item extends { format: WireFormat }>(list: readonly Item[]) =>
    list.filter((one) => one.format === format)
  const isError = random.chance(0.08)
  let bytes: Buffer
  if (isStream && !isError) bytes = random.pick(of(recordedAnswerStreams)).bytes
  else {
    const recorded = of(isError ? recordedErrors : recordedAnswers)
    const { body } = random.pick(recorded.length > 0 ? recorded : recordedErrors)
    bytes = Buffer.from(JSON.stringify(random.chance(0.6) ? mutateJson(body, random) : body) ?? '')
  }
  const isBroken = random.chance(0.8)
  if (isBroken) bytes = mutateBytes(bytes, random)
  const headers: Record<string, string> = {
    'content-type': random.chance(0.9)
      ? isStream && !isError
        ? 'text/event-stream'
        : 'application/json'
      : random.pick(['text/html', 'text/plain', 'application/octet-stream', '']),
  }
  if (random.chance(0.05)) {
    bytes = random.chance(0.5) ? gzipSync(bytes) : mutateBytes(gzipSync(bytes), random)
    headers['content-encoding'] = 'gzip'
  }
  return {
    status: isError || random.chance(0.05) ? random.pick([400, 401, 404, 429, 500, 503, 529]) : 200,
    headers,
    pieces: inPieces(bytes, random),
    isCut: random.chance(0.15),
  }
}

/** A client's stream has an error or its end, never both and never neither. */
function judgeStream(heard: Heard, format: WireFormat): void {
  const text = heard.body.toString('utf8')
  const hasError =
    /"error"\s*:\s*[{"]|event: error|response\.failed|"type":\s*"error"/.test(text) ||
    !heard.isWhole
  if (!hasError && !terminators[format].test(text))
    throw new Fault(`a stream without end or error: ${text.slice(-500)}`)
}

/** Answers of vendors: recorded streams, bodies and errors with faults in them, cut anywhere, for clients of each format. */
export const attackUpstream = (stage: Stage, run: number): Attack => ({
  name: 'upstream',
  share: 0.3,
  async run(index) {
    const random = randomOf(seedOf(run, 'upstream', index))
    const client = random.pick(formats)
    const upstream = random.pick(formats)
    const stream = random.chance(0.7)
    const { path, body } = asks[client](`up-${upstream}`, stream)
    const mark = `upstream-${index}`
    const answer = answerOf(upstream, stream, random)
    stage.tell(mark, answer)
    try {
      const headers = {
        authorization: `Bearer ${stage.key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'x-fuzz': mark,
      }
      const heard = await send(stage.gateway.url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      judge(heard, client === upstream)
      const isEvents = String(heard?.headers['content-type']).includes('event-stream')
      // A stream that passes through ends as its vendor ends it: only converted ones are judged.
      if (heard && heard.status === 200 && stream && isEvents && client !== upstream)
        judgeStream(heard, client)
    } finally {
      stage.tell(mark, null)
    }
  },
})
