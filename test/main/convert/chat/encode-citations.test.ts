import { expect, test } from 'vitest'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { encodeStream } from './small-exchange.ts'

test('a passage of the client’s own file, which Chat has no word for, is no source', () => {
  const citation = { type: 'document', title: 'Notes', citedText: 'Cited.' } as const
  const parts: StreamPart[] = [
    { type: 'response-start', id: 'i', model: 'm', created: null },
    { type: 'text-start', block: 0, choice: 0 },
    { type: 'text-citation', block: 0, citation },
    { type: 'text-delta', block: 0, text: 'Cited.' },
    { type: 'text-end', block: 0 },
  ]
  const text = JSON.stringify(encodeStream(parts))
  expect(text).toContain('Cited.')
  expect(text).not.toContain('annotations')
})
