import { GatewayError } from '../../main/base/errors.ts'
import type { WireFormat } from '../../main/convert/exchange.ts'
import type { LossEntry } from '../../main/convert/loss.ts'
import { smallCall } from '../support/stages/converting-through.ts'
import { objectsOf, pass } from '../support/strict/loops/through.ts'
import type { Json } from '../support/strict/requests/refusal.ts'
import type { Recording } from './find-recordings.ts'
import { type Leaf, leavesOf, samples, withOther } from './leaves.ts'
import { isMeaningless } from './meaningless.ts'

/** Vendors' names, by the name that losses use. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  citations: ['annotations', 'citation', 'groundingMetadata', 'citationMetadata'],
  logprobs: ['logprobsResult'],
  reasoning_effort: ['reasoning', 'thinking'],
  safety_identifier: ['user'],
  image: ['images', 'inlineData', 'image_generation_call'],
  audio: ['inlineData'],
  'choices[1]': ['candidates[1]'],
  compaction: ['compaction_delta'],
  video: ['inlineData'],
}

/** Does a path lead to the leaf, or to what it is a part of? */
function leadsTo(path: string, leaf: string): boolean {
  if (!leaf.startsWith(path)) return false
  const next = leaf[path.length]
  return path === '' || next === undefined || next === '.' || next === '['
}

/**
 * Does one of these entries stand for the leaf, or for a part that holds it? An answer's entries only name the loss;
 * a request's may leave out the steps between (`content[0].filename` for `content[0].file.filename`).
 */
function isTold({ path: leaf, names }: Leaf, losses: readonly LossEntry[]): boolean {
  return losses.some(({ path }) => {
    if (leadsTo(path, leaf)) return true
    const dot = path.lastIndexOf('.')
    const name = path.slice(dot + 1)
    const place = path.startsWith('answer.') ? '' : path.slice(0, Math.max(0, dot))
    const isNamed = [name, ...(otherNames[name] ?? [])].some((one) => names.has(one))
    return isNamed && leadsTo(place, leaf)
  })
}

/** The result of a conversion; null if it refused, since a refusal names the part that it cannot carry. */
function outcome(run: () => { out: unknown; losses: readonly LossEntry[] }) {
  try {
    const { out, losses } = run()
    return { text: JSON.stringify([out, losses]), losses }
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

/**
 * Leaves of `value` that were dropped without notice: changing one changes nothing in the result of `run`, and no
 * loss names it. Three leaves of each shape are tried. A shape counts if one of them was dropped, or (in a stream,
 * where events repeat what others said) all of them.
 */
export function unnoticed(
  value: Json,
  run: (value: Json) => { out: unknown; losses: readonly LossEntry[] },
  kind: 'request' | 'answer' | 'stream',
): Leaf[] {
  const before = outcome(() => run(value))
  if (!before) return []
  const isSilent = (leaf: Leaf) => {
    if (isTold(leaf, before.losses)) return false
    const after = outcome(() => run(withOther(value, leaf.steps) as Json))
    return after?.text === before.text
  }
  return samples(
    leavesOf(value).filter((leaf) => !isMeaningless(leaf, kind === 'request')),
  ).flatMap((leaves) => {
    const silent =
      kind === 'stream'
        ? leaves.every(isSilent) && leaves[0]
        : leaves.find((leaf) => isSilent(leaf))
    return silent ? [silent] : []
  })
}

/** Parts of a request that are lost without notice on their way to another format. */
export const silentInRequest = (from: WireFormat, to: WireFormat, body: Json): Leaf[] =>
  unnoticed(
    body,
    (value) => {
      const { body: out, losses } = pass(from, to, value)
      return { out, losses }
    },
    'request',
  )

/** Parts of a vendor's whole answer that are lost without notice on their way to a client of another format. */
const silentInAnswer = (from: WireFormat, to: WireFormat, body: Json): Leaf[] =>
  unnoticed(
    body,
    (value) => {
      const passage = smallCall(to, from)
      return { out: passage.whole(value), losses: passage.losses }
    },
    'answer',
  )

/** The same for a stream, in which an event may repeat what another one says. */
function silentInStream(from: WireFormat, to: WireFormat, events: readonly Json[]): Leaf[] {
  const isNamed = from === 'messages' || from === 'responses'
  const told = (value: Json) =>
    (value.events as Json[]).map((event) => {
      const { type } = event
      return { event: isNamed ? String(type) : null, data: JSON.stringify(event) }
    })
  return unnoticed(
    { events },
    (value) => {
      const passage = smallCall(to, from)
      return { out: passage.stream(told(value)), losses: passage.losses }
    },
    'stream',
  )
}

/** Parts of a recording that are lost without notice on their way to a format; none on the way to its own. */
export function silentDrops({ kind, format, body, bytes }: Recording, to: WireFormat): Leaf[] {
  if (kind === 'error' || format === to) return []
  if (kind === 'request') return silentInRequest(format, to, body)
  if (kind === 'answer') return silentInAnswer(format, to, body)
  return silentInStream(format, to, objectsOf(bytes.toString()))
}
