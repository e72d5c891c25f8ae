import type { WireFormat } from '../../main/convert/exchange.ts'
import { questionOf } from '../faults/faulty-call.ts'
import { asJson, wrongError } from '../faults/meaning.ts'
import { readWireAnswer, type WireAnswer } from '../support/recordings/read-wire-answer.ts'
import { objectsOf } from '../support/strict/loops/through.ts'
import type { Json } from '../support/strict/requests/refusal.ts'
import type { Reply } from '../support/upstreams/scripted-upstream.ts'
import type { Recording } from './find-recordings.ts'
import type { Lane } from './matrix-stage.ts'
import { readWithSdk } from './read-with-sdk.ts'
import { silentDrops } from './silent-drops.ts'

const replyOf = ({ kind, body, bytes }: Recording, cutSeed: number | null): Reply =>
  kind === 'stream'
    ? { chunks: [bytes], ...(cutSeed === null ? {} : { cutSeed }) }
    : { status: kind === 'error' ? statusOf(body) : 200, body }

/** The status that came with an error, where its body says so. */
function statusOf(body: Json): number {
  const { code } = asJson(body.error)
  return typeof code === 'number' && code >= 400 && code < 600 ? code : 400
}

const bare = (text: string): string => text.replaceAll(/\s+/g, '')
const brief = (value: unknown): string => JSON.stringify(value).slice(0, 160)

/** A freeform tool's text is the one argument of a function where there are functions only. */
const argumentOf = (value: unknown): unknown =>
  typeof value === 'string' ? { input: value } : value

/** Differences between the vendor's answer and the one that its client hears. */
function compared(was: WireAnswer, is: WireAnswer, client: WireFormat): string[] {
  const problems: string[] = []
  const demand = (holds: boolean, what: string, one: unknown, other: unknown) => {
    if (!holds) problems.push(`${what} ${brief(other)}, not ${brief(one)}`)
  }
  const [wasText, isText] = [bare(was.text), bare(is.text)]
  // Words may be added for parts that the format cannot carry, or for a refusal without words.
  demand(
    isText === wasText ||
      (isText.includes(wasText) && /cannotcarry/.test(isText)) ||
      (wasText === '' && was.stop === 'refusal'),
    'the text is',
    wasText,
    isText,
  )
  const calls = (heard: WireAnswer) =>
    heard.calls.map(({ name, arguments: args }) => [name, argumentOf(args)])
  demand(brief(calls(is)) === brief(calls(was)), 'the calls are', calls(was), calls(is))
  if (client !== 'chat' || is.thoughts !== '')
    demand(bare(is.thoughts) === bare(was.thoughts), 'the thoughts are', was.thoughts, is.thoughts)
  if (was.usage && is.usage)
    for (const name of ['input', 'output', 'cachedInput'] as const)
      demand(
        is.usage[name] === was.usage[name],
        `usage.${name} is`,
        was.usage[name],
        is.usage[name],
      )
  return problems
}

const errorText = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

/** Can the vendor's own SDK read what the vendor said? */
const isReadable = async (recording: Recording, lane: Lane): Promise<boolean> => {
  lane.answer(replyOf(recording, null))
  const { format: client, kind } = recording
  try {
    await readWithSdk({ url: lane.direct, key: 'k', client, model: 'm', stream: kind === 'stream' })
    return true
  } catch {
    return false
  }
}

/**
 * One recorded answer, stream or error on its way to a client: what doesn't hold, as sentences; null where not even
 * the vendor's own SDK reads the recording.
 */
export async function runAnswerCell(
  recording: Recording,
  client: WireFormat,
  cutSeed: number | null,
  lane: Lane,
): Promise<string[] | null> {
  const { kind, format, body, bytes } = recording
  if (kind !== 'error' && !(await isReadable(recording, lane))) return null
  const stream = kind === 'stream'
  const model = kind === 'error' ? lane.newModelOf(format) : lane.modelOf(format)
  const { url, key } = lane.gateway
  lane.answer(replyOf(recording, cutSeed))
  const question = questionOf({ client, model, stream })
  const usage = client === 'chat' && stream ? { stream_options: { include_usage: true } } : {}
  const answer = await fetch(url + question.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ ...question.body, ...usage }),
  })
  const text = await answer.text()
  if (kind === 'error') {
    if (answer.status < 400) return [`status ${answer.status} for an error`]
    return wrongError(client, JSON.parse(text) as Json, null)
  }
  const problems: string[] = []
  if (answer.status !== 200) return [`status ${answer.status}: ${text.slice(0, 300)}`]
  try {
    await readWithSdk({ url, key, client, model, stream })
  } catch (error) {
    problems.push(`the SDK says ${errorText(error)}`)
  }
  const was = readWireAnswer(format, stream ? objectsOf(String(bytes)) : [body])
  const is = readWireAnswer(client, stream ? objectsOf(text) : [JSON.parse(text) as Json])
  // Vertex streams arguments by their paths: `hear` reads whole ones only.
  if (bytes.includes('partialArgs')) was.calls = is.calls
  problems.push(...compared(was, is, client))
  if (cutSeed === null)
    problems.push(
      ...silentDrops(recording, client).map(({ path }) => `dropped without a loss: ${path}`),
    )
  return problems
}
