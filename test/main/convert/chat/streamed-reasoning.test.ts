import { expect, test } from 'vitest'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import { chunk, decodeStream, done } from './small-exchange.ts'

test('thoughts in plain text are kept beside an encrypted copy, which has no text of its own', () => {
  const copy = { type: 'reasoning.encrypted', data: 'opaque', index: 0 }
  const thinking = chunk({ reasoning: 'Well then.', reasoning_details: [copy] })
  const collected = collectStream()
  for (const part of decodeStream(thinking, chunk({ content: 'Hi' }, 'stop'), done))
    collected.push(part)
  const parts = collected.response().choices.flatMap((choice) => choice.parts)
  const thoughts = parts.flatMap((part) => (part.type === 'reasoning' ? part.sections : []))
  expect(thoughts.join('')).toBe('Well then.')
})
