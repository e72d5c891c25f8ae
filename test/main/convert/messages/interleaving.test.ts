import fastCheck from 'fast-check'
import { expect, test } from 'vitest'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { blocksOf, encodeParts, eventsOf } from './exchange-parts.ts'

const start: StreamPart = { type: 'response-start', id: '', model: 'gpt', created: null }
const stop: StreamPart = { type: 'stop', choice: 0, stop: { reason: 'end' } }
const end: StreamPart = { type: 'response-end' }

const callOf = (block: number, pieces: readonly string[]): StreamPart[] => [
  { type: 'call-start', block, choice: 0, id: `call_${block}`, name: 'f', kind: 'function' },
  ...['{"', ...pieces, '":1}'].map((text): StreamPart => ({ type: 'call-delta', block, text })),
  { type: 'call-end', block },
]

/** One part of an answer: what it is, and its pieces. */
const lane = fastCheck.record({
  kind: fastCheck.constantFrom('text', 'reasoning', 'call', 'refusal'),
  pieces: fastCheck.array(fastCheck.stringMatching(/^[a-z]{1,3}$/), { maxLength: 4 }),
})

const partsOf = (block: number, kind: string, pieces: readonly string[]): StreamPart[] => {
  if (kind === 'reasoning') {
    return [
      { type: 'reasoning-start', block, choice: 0, form: 'raw' },
      ...pieces.map(
        (piece): StreamPart => ({ type: 'reasoning-delta', block, section: 0, text: piece }),
      ),
      { type: 'reasoning-end', block },
    ]
  }
  if (kind === 'call') return callOf(block, pieces)
  const named = kind as 'text' | 'refusal'
  return [
    { type: `${named}-start`, block, choice: 0 },
    ...pieces.map((piece): StreamPart => ({ type: `${named}-delta`, block, text: piece })),
    { type: `${named}-end`, block },
  ]
}

test('however parts interleave, blocks are nested, numbered without a gap, and whole', () => {
  const interleavings = fastCheck.tuple(
    fastCheck.array(lane, { minLength: 1, maxLength: 5 }),
    fastCheck.array(fastCheck.nat(1000), { maxLength: 60 }),
  )
  fastCheck.assert(
    fastCheck.property(interleavings, ([lanes, picks]) => {
      const queues = lanes.map(({ kind, pieces }, block) => partsOf(block, kind, pieces))
      const parts: StreamPart[] = []
      // Starts keep their order; everything else is picked at will.
      for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
        const begun = queues.findIndex((queue) => queue[0]?.type.endsWith('-start'))
        const open = queues.filter(
          (queue, block) => queue.length > 0 && (begun < 0 || block <= begun),
        )
        const part = open[(picks[turn % Math.max(1, picks.length)] ?? 0) % open.length]?.shift()
        if (part) parts.push(part)
      }
      const blocks = blocksOf(eventsOf(encodeParts([start, ...parts, stop, end])))
      const joined = (type: string, field: string) =>
        blocks.filter((block) => block.type === type).map((block) => String(block[field] ?? ''))
      const given = (kinds: string) =>
        lanes.filter(({ kind }) => kinds.includes(kind)).map(({ pieces }) => pieces.join(''))
      const letters = (texts: string[]) => texts.join('').split('').sort().join('')
      expect(joined('tool_use', 'json')).toEqual(given('call').map((name) => `{"${name}":1}`))
      expect(letters(joined('text', 'text'))).toBe(letters(given('text refusal')))
      expect(letters(joined('thinking', 'thinking'))).toBe(letters(given('reasoning')))
      expect(joined('text', 'text')).not.toContain('')
    }),
    { numRuns: 400 },
  )
})
