import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChatScanner } from '../../../../main/convert/chat/stream/scanner.ts'
import { LongLine } from '../../../../main/convert/events/long-line.ts'

/** Bytes in pieces of these lengths, over and over. */
function* inPieces(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const length = lengths[index % lengths.length] as number
    yield bytes.subarray(at, at + length)
    at += length
  }
}

describe('a long line', () => {
  test('keeps short strings whole and long ones by their beginning, wherever it is cut', () => {
    const word = fc.constantFrom('a', '"', '\\', '\n', '\u0001', '\u{1F600}', 'é', '\\\\"')
    const text = fc
      .array(word, { minLength: 1, maxLength: 5 })
      .chain((words) => fc.nat(1500).map((times) => words.join('').repeat(times)))
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 4 }),
        (texts, lengths) => {
          const line = new LongLine()
          const bytes = Buffer.from(JSON.stringify({ texts, usage: { n: 1 } }))
          for (const piece of inPieces(bytes, lengths)) line.push(piece)
          const short = JSON.parse(line.short.toString()) as { texts: string[]; usage: object }
          expect(short.usage).toEqual({ n: 1 })
          expect(short.texts).toHaveLength(texts.length)
          for (const [index, one] of short.texts.entries()) {
            const whole = texts[index] as string
            if (Buffer.byteLength(JSON.stringify(whole)) <= 2048) expect(one).toBe(whole)
            // A character cut within its bytes is none.
            expect(whole.startsWith(one.replace(/\ufffd+$/, ''))).toBe(true)
            expect(Buffer.byteLength(JSON.stringify(one))).toBeLessThan(2100)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('an event of megabytes that passes through', () => {
  const text = 'Words with "quotes", \\ and \u{1F600}. '.repeat(50_000)
  const chunk = (fields: object) => `data: ${JSON.stringify({ id: 'c', ...fields })}\n\n`
  const choices = (delta: object) => [{ index: 0, delta, finish_reason: null }]
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }

  function scan(stream: string, options: { withholdUsage: boolean; showModel: string | null }) {
    const scanner = createChatScanner({ ...options, asArray: false })
    const out: Buffer[] = []
    for (const piece of inPieces(Buffer.from(stream), [65_536, 1, 30_000])) {
      out.push(scanner.push(piece))
    }
    out.push(scanner.flush())
    return { scanner, out: Buffer.concat(out).toString() }
  }

  test('is the same, and what stands behind its text is found', () => {
    const stream = `${chunk({ choices: choices({ content: text }), usage })}data: [DONE]\n\n`
    const { scanner, out } = scan(stream, { withholdUsage: false, showModel: null })
    expect(out).toBe(stream)
    expect(scanner.isTerminated).toBe(true)
    expect(scanner.usage()).toMatchObject({ input: 7, output: 3 })
    expect(scanner.error).toBeNull()
  })

  test('has its model renamed, before its text or behind it', () => {
    for (const fields of [
      { model: 'theirs', choices: choices({ content: text }) },
      { choices: choices({ content: text }), model: 'theirs' },
    ]) {
      const stream = `${chunk(fields)}${chunk({ model: 'theirs', choices: choices({}) })}`
      const { out } = scan(stream, { withholdUsage: true, showModel: 'ours \u{1F600}' })
      expect(out).toBe(stream.replaceAll('theirs', 'ours \u{1F600}'))
    }
  })

  test('is known to have been an error', () => {
    const stream = chunk({ error: { message: 'Broken.', detail: text } })
    const { scanner } = scan(stream, { withholdUsage: false, showModel: null })
    expect(scanner.error?.message).toBe('Broken.')
  })

  test('that was cut is counted by its words', () => {
    const { scanner } = scan(chunk({ choices: choices({ content: text }) }), {
      withholdUsage: false,
      showModel: null,
    })
    const tokens = scanner.estimateOutput()
    expect(tokens).toBeGreaterThan(text.length / 8)
    expect(tokens).toBeLessThan(text.length)
  })
})
