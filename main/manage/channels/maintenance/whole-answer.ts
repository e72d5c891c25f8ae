import { GatewayError } from '../../../base/errors.ts'
import type { Answer, AnswerStream } from '../../../relay/call/answer.ts'

function collect(stream: AnswerStream): Promise<{ bytes: Buffer; isWhole: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const done = (isWhole: boolean) => resolve({ bytes: Buffer.concat(chunks), isWhole })
    stream.pipeTo({
      write(chunk) {
        chunks.push(chunk)
        return true
      },
      end: () => done(true),
      fail: () => done(false),
      onDrain: () => {},
    })
  })
}

/** The sentence in a vendor's error, of any wire format, whole or as a stream's event. */
function vendorSentence(text: string): string | null {
  for (const line of text.split('\n')) {
    const json = line.replace(/^data:\s*/, '').trim()
    if (!json.includes('"error"')) continue
    try {
      const { error } = JSON.parse(json)
      const message = error?.message ?? (typeof error === 'string' ? error : null)
      if (typeof message === 'string') return message
    } catch {
      // Not this line.
    }
  }
  return null
}

/** The answer's error in the vendor's own words; null for a complete success. */
export async function readWholeAnswer(answer: Answer): Promise<GatewayError | null> {
  const { bytes, isWhole } = Buffer.isBuffer(answer.body)
    ? { bytes: answer.body, isWhole: true }
    : await collect(answer.body)
  const text = bytes.toString('utf8')
  const sentence = vendorSentence(
    text.includes('\ndata:') || text.startsWith('data:') ? text : oneLine(text),
  )
  if (answer.status < 400 && isWhole && sentence === null) return null
  const message =
    sentence ??
    (isWhole
      ? `The upstream answered ${answer.status}.`
      : 'The upstream broke off in the middle of its answer.')
  return new GatewayError('upstream_error', { message })
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')
