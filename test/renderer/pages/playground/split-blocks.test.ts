import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  joinBlocks,
  type SplitText,
  splitBlocks,
  splitGrown,
} from '../../../../renderer/pages/playground/chat/turn/split-blocks.ts'
import { collectGarbage } from '../../../support/collect-garbage.ts'

const lines = [
  'words',
  '',
  '- item',
  '1. item',
  '```ts',
  '```',
  '  deep',
  '# Head',
  '[a]: /b',
  '> q',
]

test('a reply that came in pieces has the blocks of one that came whole', () => {
  const texts = fc.array(fc.constantFrom(...lines), { maxLength: 40 }).map((all) => all.join('\n'))
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, step) => {
      let known: SplitText | null = null
      for (let end = step; end < text.length + step; end += step) {
        const part = text.slice(0, end)
        known = { text: part, blocks: splitGrown(part, known) }
        expect(known.blocks).toEqual(splitBlocks(part))
      }
    }),
    { numRuns: 500 },
  )
})

test('a stored reply is parsed in large pieces that leave nothing out', () => {
  const texts = fc.array(fc.constantFrom(...lines), { maxLength: 2000 })
  fc.assert(
    fc.property(texts, (all) => {
      const text = all.join('\n')
      const pieces = joinBlocks(splitBlocks(text))
      expect(pieces.join('\n')).toBe(text)
      for (const piece of pieces.slice(0, -1)) expect(piece.length).toBeGreaterThanOrEqual(2000)
    }),
    { numRuns: 100 },
  )
  const parts = Array.from({ length: 1000 }, (_, part) => `# Part ${part}\n\nA line.\n`)
  const text = parts.join('\n')
  expect(joinBlocks(splitBlocks(text)).length).toBeLessThan(text.length / 1500)
  // A fence or a list is never torn: it began with the piece that it's in.
  const fence = `\`\`\`\n${'a\n\nb\n'.repeat(2000)}\`\`\``
  expect(joinBlocks(splitBlocks(`${text}\n${fence}`)).at(-1)).toContain(fence)
})

test('what was drawn of a long reply does not keep a copy of the reply for each drawing', () => {
  const inUse = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = inUse()
  const drawn: string[] = []
  let known: SplitText | null = null
  for (let size = 200; size < 2000; size++) {
    const lines = Array.from({ length: size }, (_, line) => `A line of words, number ${line}.`)
    const text = lines.join('\n\n')
    known = { text, blocks: splitGrown(text, known) }
    drawn.push(known.blocks.at(-1) ?? '')
  }
  // 60 MB, were each of them a part of its whole text.
  expect(inUse() - before).toBeLessThan(8e6)
  expect(drawn).toHaveLength(1800)
})
