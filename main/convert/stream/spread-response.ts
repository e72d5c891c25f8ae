import type { Native, Part } from '../exchange.ts'
import type { Choice, ExchangeResponse } from '../exchange-response.ts'
import type { StreamPart } from './stream-part.ts'

/** Pieces of a long text; clients show them as they come, so a few are as good as many. */
const PIECES = 4
const SHORTEST_PIECE = 200

/** A text in a few pieces, none of them empty, no character cut in half. */
function pieces(text: string): string[] {
  const length = Math.max(SHORTEST_PIECE, Math.ceil(text.length / PIECES))
  const found: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + length)
    const isCutCharacter = /[\ud800-\udbff]/.test(text.charAt(to - 1))
    if (isCutCharacter && to < text.length) to++
    found.push(text.slice(from, to))
    from = to
  }
  return found
}

const nativeOf = (native: Native | undefined) => (native ? { native } : {})

function spreadPart(
  part: Part,
  block: number,
  choice: number,
  logprobs: Choice['logprobs'],
): StreamPart[] {
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-start', block, choice, ...nativeOf(part.native) },
        ...pieces(part.text).map((text, index): StreamPart => {
          const likely = index === 0 && logprobs ? { logprobs } : {}
          return { type: 'text-delta', block, text, ...likely }
        }),
        ...(part.citations ?? []).map(
          (citation): StreamPart => ({ type: 'text-citation', block, citation }),
        ),
        { type: 'text-end', block, ...(part.state ? { state: part.state } : {}) },
      ]
    case 'refusal':
      return [
        { type: 'refusal-start', block, choice, ...nativeOf(part.native) },
        ...pieces(part.text).map((text): StreamPart => ({ type: 'refusal-delta', block, text })),
        { type: 'refusal-end', block },
      ]
    case 'reasoning':
      return [
        { type: 'reasoning-start', block, choice, form: part.form, ...nativeOf(part.native) },
        ...part.sections.flatMap((section, index) =>
          pieces(section).map(
            (text): StreamPart => ({ type: 'reasoning-delta', block, section: index, text }),
          ),
        ),
        { type: 'reasoning-end', block, ...(part.state ? { state: part.state } : {}) },
      ]
    case 'call':
      return [
        {
          type: 'call-start',
          block,
          choice,
          id: part.id,
          name: part.name,
          ...(part.namespace === undefined ? {} : { namespace: part.namespace }),
          kind: part.kind,
          ...nativeOf(part.native),
        },
        ...(part.arguments === ''
          ? []
          : [{ type: 'call-delta', block, text: part.arguments } satisfies StreamPart]),
        { type: 'call-end', block, ...(part.state ? { state: part.state } : {}) },
      ]
    case 'media':
    case 'hosted':
    case 'native':
      return [{ type: 'whole', block, choice, part }]
    case 'result':
      // Results stand in requests alone: a vendor's own tools answer as `hosted`.
      return []
  }
}

/** A whole answer as the stream that it could have been, for a client that asked for one. */
export function spreadResponse(response: ExchangeResponse): StreamPart[] {
  const { id, model, created, serviceTier, native, usage } = response
  const parts: StreamPart[] = [
    {
      type: 'response-start',
      id,
      model,
      created,
      ...(usage ? { usage } : {}),
      ...(serviceTier === undefined ? {} : { serviceTier }),
      ...nativeOf(native),
    },
  ]
  let block = 0
  response.choices.forEach((choice, index) => {
    const withLogprobs = choice.parts.find((part) => part.type === 'text' && part.text !== '')
    for (const part of choice.parts) {
      const spread = spreadPart(
        part,
        block,
        index,
        part === withLogprobs ? choice.logprobs : undefined,
      )
      parts.push(...spread)
      if (spread.length > 0) block++
    }
    parts.push({ type: 'stop', choice: index, stop: choice.stop, ...nativeOf(choice.native) })
  })
  if (usage) parts.push({ type: 'usage', usage })
  parts.push({ type: 'response-end' })
  return parts
}
