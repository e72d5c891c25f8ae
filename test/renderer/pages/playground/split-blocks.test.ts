import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type SplitText,
  splitBlocks,
  splitGrown,
} from '../../../../renderer/pages/playground/chat/turn/split-blocks.ts'

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
