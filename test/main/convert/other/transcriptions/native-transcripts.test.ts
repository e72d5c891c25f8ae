import { describe, expect, test } from 'vitest'
import { JsonFields } from '../../../../../main/convert/json/json-fields.ts'
import { transcriptionsCodec } from '../../../../../main/convert/other/transcriptions/codecs.ts'
import { cutAtRandom } from '../../../../support/clients/cut-at-random.ts'
import { readFixture } from '../../../../support/recordings/fixtures.ts'
import { answerTranscript } from '../../../../support/strict/other/check-transcriptions.ts'

const { whole, chunks } = answerTranscript(['I see ', '"error" and {"usage":1}'])
const scan = (bytes: Buffer, seed: number) => {
  const scanner = transcriptionsCodec.createScanner({
    withholdUsage: false,
    showModel: null,
    asArray: false,
  })
  const out = cutAtRandom(bytes, seed).map((piece) => scanner.push(piece))
  return { scanner, out: Buffer.concat([...out, scanner.flush()]) }
}

describe('transcripts of an upstream of OpenAI’s', () => {
  test('the recorded verbose answer is counted by its seconds', () => {
    const answer = new JsonFields(readFixture('openai-audio/transcription-verbose.json'))
    const detail = transcriptionsCodec.readUsage(answer)?.detail
    // The billed seconds, not the recording's exact length.
    expect(detail?.seconds).toBe(37)
  })

  test.each([
    [whole, { input: 14, output: 9, detail: { inputAudio: 10 } }],
    [
      { text: 'a', usage: { type: 'duration', seconds: 3 } },
      { input: 0, detail: { seconds: 3 } },
    ],
    [{ text: 'a' }, null],
    [{ text: 'a', usage: {} }, null],
    [
      { text: 'a', usage: {}, duration: 4 },
      { input: 0, detail: { seconds: 4 } },
    ],
  ])('usage of %j', (answer, usage) => {
    const read = transcriptionsCodec.readUsage(new JsonFields(Buffer.from(JSON.stringify(answer))))
    if (usage === null) expect(read).toBeNull()
    else expect(read).toMatchObject(usage)
  })

  test('a stream passes untouched and ends with its last event, whatever is said in it', () => {
    const bytes = Buffer.from(chunks.join(''))
    for (let seed = 1; seed <= 20; seed++) {
      const { scanner, out } = scan(bytes, seed)
      expect(out.equals(bytes)).toBe(true)
      expect(scanner.isWhole()).toBe(true)
      expect(scanner.error).toBeNull()
      expect(scanner.usage()).toMatchObject({ input: 14, output: 9, detail: { inputAudio: 10 } })
    }
    expect(scan(Buffer.from(chunks.slice(0, -1).join('')), 1).scanner.isWhole()).toBe(false)
  })

  test.each([
    ['temperature', { temperature: ['warm'] }],
    ['stream', { stream: ['yes'] }],
    ['response_format', { response_format: ['json', 'text'] }],
  ])('%s of the form %j is refused by name', (field, fields: Record<string, string[]>) => {
    expect(() => transcriptionsCodec.form?.check(fields)).toThrow(
      expect.objectContaining({ field }),
    )
  })
})
