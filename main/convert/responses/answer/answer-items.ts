import type { Part } from '../../exchange.ts'
import { spreadResponse } from '../../stream/spread-response.ts'
import { AnswerWriter } from './answer-writer.ts'

/**
 * Which parts of an answer stand in which item of the output that a client got, by the item's index. It is
 * worked out by writing the answer again, since that is how the client's items came to be.
 */
export function partsByItem(answer: readonly Part[]): Map<number, Part[]> {
  const found = new Map<number, Part[]>()
  let block = -1
  let lastBlock = -1
  let last = -1
  const emit = (type: string, fields: Record<string, unknown>) => {
    if (type !== 'response.output_item.added') return
    const index = Number(fields.output_index)
    // A second item of one part only carries its state, which the part has itself.
    found.set(index, block === lastBlock ? [] : take(block))
    if (block !== lastBlock) last = index
    lastBlock = block
  }
  const parts = answer.filter(({ type }) => type !== 'result')
  const take = (index: number): Part[] => parts.slice(index, index + 1)
  const request = { origin: 'responses' as const, model: '', stream: false, turns: [], tools: [] }
  const writer = new AnswerWriter(
    { id: '', model: '', request, estimatedInput: 0, created: 0 },
    emit,
  )
  const choices = [{ parts: [...parts], stop: { reason: 'end' as const } }]
  for (const part of spreadResponse({ id: '', model: '', created: null, choices, usage: null })) {
    if ('block' in part) block = part.block
    writer.push(part)
    const isShared = part.type === 'text-start' || part.type === 'refusal-start'
    if (isShared && lastBlock !== block) {
      // It has gone into the message before it.
      found.get(last)?.push(...take(block))
      lastBlock = block
    }
  }
  return found
}
