import type { WireFormat } from '../../main/convert/exchange.ts'
import { vendorAnswer } from '../faults/vendor-answer.ts'
import { contentOf } from '../support/recordings/request-content.ts'
import { conversions } from '../support/strict/loops/through.ts'
import type { Json } from '../support/strict/requests/refusal.ts'
import type { Recording } from './find-recordings.ts'
import type { Lane } from './matrix-stage.ts'
import { silentDrops } from './silent-drops.ts'

const paths: Readonly<Record<Exclude<WireFormat, 'generate-content'>, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
}

function pathOf(format: WireFormat, model: string): string {
  return format === 'generate-content' ? `/v1beta/models/${model}:generateContent` : paths[format]
}

/** The reason where a 400 names what could not go on, as it may. */
function refusal(status: number, text: string): string | null {
  if (status !== 400) return `status ${status}: ${text.slice(0, 300)}`
  return /"message":\s*"[\w[\].]+[: ]/.test(text)
    ? null
    : `a 400 that names no field: ${text.slice(0, 300)}`
}

/** One recorded request on its way to an upstream of a format: what doesn't hold, as sentences. */
export async function runRequestCell(
  recording: Recording,
  to: WireFormat,
  lane: Lane,
): Promise<string[]> {
  const { format, body } = recording
  const model = lane.modelOf(to)
  const sent: Json = { ...body }
  if (format !== 'generate-content') sent.model = model
  const stream = sent.stream === true
  const { whole, events } = vendorAnswer(to, model, 11, 7)
  lane.answer(stream ? { chunks: events } : { body: JSON.parse(whole) as object })
  const answer = await fetch(lane.gateway.url + pathOf(format, model), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${lane.gateway.key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(sent),
  })
  const text = await answer.text()
  if (answer.status !== 200) {
    const reason = refusal(answer.status, text)
    return reason === null ? [] : [reason]
  }
  const got = lane.last().json() as Json
  if (to === format) {
    const same =
      JSON.stringify({ ...got, stream_options: 0, stream: 0 }) ===
      JSON.stringify({ ...sent, stream_options: 0, stream: 0 })
    return same ? [] : ['the body was changed on its way to its own format']
  }
  const before = contentOf(conversions[format].decodeRequest(sent, {}))
  const after = contentOf(conversions[to].decodeRequest(got, {}))
  const problems: string[] = []
  const told = JSON.stringify(got).replaceAll(/\s+/g, '')
  for (const one of before.texts) {
    const bare = JSON.stringify(one).slice(1, -1).replaceAll(/\s+/g, '')
    if (!told.includes(bare) && !told.includes(JSON.stringify(bare).slice(1, -1)))
      problems.push(`a text is missing: ${one.slice(0, 120)}`)
  }
  if (after.calls.length !== before.calls.length)
    problems.push(`${after.calls.length} calls, not ${before.calls.length}`)
  if (after.results.length < before.results.length)
    problems.push(`${after.results.length} results, not ${before.results.length}`)
  problems.push(...silentDrops(recording, to).map(({ path }) => `dropped without a loss: ${path}`))
  return problems
}
