import { GatewayError } from '../../../base/errors.ts'
import { redact } from '../../../base/log/redact.ts'
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
  if (sentence !== null) {
    return new GatewayError('upstream_error', {
      message: sentence,
      reason: { code: 'vendor_said', said: redact(sentence) },
    })
  }
  const { status } = answer
  return new GatewayError(
    'upstream_error',
    isWhole
      ? {
          message: `The upstream answered ${status}.`,
          reason: { code: 'upstream_answered_status', status },
        }
      : {
          message: 'The upstream broke off in the middle of its answer.',
          reason: { code: 'upstream_broke_off' },
        },
  )
}

const oneLine = (text: string): string =>
  text.replace(/\s+/g, (blank) => (blank.includes('\n') ? ' ' : blank))
