import type { Pair } from '../gateway/pair.ts'
import { writePng } from '../images/write-png.ts'
import { readFixture } from '../recordings/fixtures.ts'
import type { Handler, Reply } from '../upstreams/scripted-upstream.ts'

const busyKey = 'sk-of-the-busy-vendor'

/** Longer than a second, which is when the inspector tells of it. */
const PAUSE = 1300

const json = { 'content-type': 'application/json' }

/** A recorded answer with reasoning, in three pieces with a pause after each. */
function thinking(): Reply {
  const events = readFixture('anthropic-messages/thinking-stream.response.sse')
    .toString()
    .split(/(?<=\n\n)/)
  const third = Math.ceil(events.length / 3)
  const chunks = [0, 1, 2].map((part) => events.slice(part * third, (part + 1) * third).join(''))
  return { chunks, pause: PAUSE, headers: { 'content-type': 'text/event-stream' } }
}

/** A vendor whose first key is out of its rate, and which speaks two formats. */
export const inspectedVendor: Handler = (request) => {
  if (request.headers['x-api-key']) return thinking()
  if (request.url.endsWith('/speech')) {
    return { body: smallPicture(), headers: { 'content-type': 'audio/mpeg' } }
  }
  if (request.headers.authorization === `Bearer ${busyKey}`) {
    return { status: 429, body: { error: { message: 'Too fast.', code: 'rate_limit_exceeded' } } }
  }
  return { body: readFixture('openai-chat/text.json'), headers: json }
}

/** The channels that the calls below go to. */
export function addInspectedChannels({ addChannelOf }: Pair): void {
  addChannelOf('messages', { name: 'Thinking vendor', models: ['thinker'] })
  addChannelOf('chat', { name: 'Busy vendor', key: busyKey, priority: 10, models: ['talker'] })
  addChannelOf('chat', {
    name: 'Calm vendor',
    key: 'sk-of-the-calm',
    models: ['talker', 'seer', 'speaker'],
  })
}

/** A picture of 48 by 32 dots that hardly compresses. */
export function smallPicture(): Buffer {
  const [width, height] = [48, 32]
  const rgba = Buffer.alloc(width * height * 4)
  for (let dot = 0; dot < width * height; dot++) {
    rgba.writeUInt32BE((((dot * 2_654_435_761) >>> 8) * 256 + 255) >>> 0, dot * 4)
  }
  return writePng({ width, height, rgba })
}

/** Ids of calls that the inspector is tried on, by what is special about them. */
export interface InspectedCalls {
  /** Chat to Messages, streamed, with a loss, reasoning and two pauses. */
  converted: string
  /** Refused by one vendor, answered by another. */
  failover: string
  /** With an image and a number that has more digits than a double. */
  image: string
  /** Answered with bytes that are no text. */
  speech: string
  /** For a model that no channel has. */
  unknown: string
  /** Refused before it became a call: its body is no text. */
  bytes: string
}

export async function makeInspectedCalls({ send }: Pair): Promise<InspectedCalls> {
  const path = '/v1/chat/completions'
  const converted = await send(path, {
    body: {
      model: 'thinker',
      stream: true,
      seed: 7,
      max_tokens: 4000,
      messages: [
        { role: 'system', content: 'You are brief.' },
        { role: 'user', content: 'How do I cross a street?' },
      ],
    },
  })
  const failover = await send(path, {
    body: { model: 'talker', messages: [{ role: 'user', content: 'Hello' }] },
  })
  const url = `data:image/png;base64,${smallPicture().toString('base64')}`
  const image = await send(path, {
    headers: json,
    body: JSON.stringify({
      model: 'seer',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: `Describe it.\n${'Every dot counts. '.repeat(20)}` },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    }).replace('"model"', '"seed":9007199254740993,"model"'),
  })
  const speech = await send('/v1/audio/speech', {
    body: { model: 'speaker', input: 'Hello', voice: 'alloy' },
  })
  const unknown = await send(path, {
    body: { model: 'unheard-of', messages: [{ role: 'user', content: 'Hello' }] },
  })
  const bytes = await send(path, { headers: json, body: Buffer.from([0, 159, 146, 150, 255, 10]) })
  return {
    converted: converted.id,
    failover: failover.id,
    image: image.id,
    speech: speech.id,
    unknown: unknown.id,
    bytes: bytes.id,
  }
}
