import { z } from 'zod'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import { cutText } from '../../inspect/body/cut-text.ts'
import { diffBorders } from '../../inspect/diff/diff-borders.ts'
import { viewStream } from '../../inspect/events/stream-view.ts'
import { readConversation } from '../../inspect/reading/read-conversation.ts'
import { defineOperation } from '../operation/operation.ts'
import { reasonOutput } from '../operation/sentence.ts'
import { lossNoteOutput, lossNoteView, lossOutput, lossView } from './loss-output.ts'
import { captureId, exchangeNumber, exchangeOf, ownCapture } from './own-capture.ts'
import { storedLosses } from './stored-losses.ts'

/** Characters of a value that are shown. */
const SHOWN_VALUE = 4096

const value = z
  .string()
  .nullable()
  .describe('JSON, at most 4096 characters of it; null where there is nothing on this side.')

const shownValue = (from: unknown): string | null =>
  from === undefined ? null : cutText(stringifyExact(from), SHOWN_VALUE)

const diff = defineOperation({
  name: 'capture.diff',
  summary: 'Compares the client’s request or answer with the upstream’s; explains what was lost.',
  access: 'user',
  http: { method: 'GET', path: '/api/captures/:request_id/diff' },
  input: z.object({
    request_id: captureId,
    exchange: exchangeNumber,
    side: z.enum(['request', 'answer']),
  }),
  output: z.strictObject({
    changes: z.array(
      z.strictObject({
        path: z.string().describe('`messages[0].content`; empty for the whole body.'),
        kind: z.enum(['added', 'removed', 'changed']),
        from: value,
        to: value,
        loss: lossNoteOutput.nullable(),
      }),
    ),
    losses: z
      .array(
        lossOutput.extend({
          is_placed: z.boolean().describe('Does something stand at the path?'),
        }),
      )
      .describe('Of this attempt.'),
  }),
  run({ request_id: id, exchange, side }, context) {
    const capture = ownCapture(id, context)
    const index = exchangeOf(capture, exchange)
    const losses = storedLosses(capture, index, context.parts.ledger)
    const found = diffBorders(capture, { exchange: index, side, losses })
    return {
      changes: found.changes.map(({ path, kind, from, to, loss }) => ({
        path,
        kind,
        from: shownValue(from),
        to: shownValue(to),
        loss: loss && lossNoteView(loss),
      })),
      losses: found.losses.map((loss) => ({ ...lossView(loss), is_placed: loss.isPlaced })),
    }
  },
})

const eventView = z.strictObject({
  at: z.number().describe('Milliseconds from the call’s arrival.'),
  event: z.string().describe('Its name; empty where it has none.'),
  data: z.string().describe('At most 4096 characters.'),
  text: z.string().describe('The words that it adds to the answer.'),
})

const events = defineOperation({
  name: 'capture.events',
  summary: 'Lists the events of a captured stream, and which of the upstream’s became which.',
  access: 'user',
  http: { method: 'GET', path: '/api/captures/:request_id/events' },
  input: z.object({ request_id: captureId, exchange: exchangeNumber }),
  output: z.strictObject({
    upstream: z.array(eventView),
    client: z.array(eventView),
    links: z.array(z.tuple([z.int(), z.int()])).describe('Index in `upstream`, index in `client`.'),
  }),
  run({ request_id: id, exchange }, context) {
    const capture = ownCapture(id, context)
    return viewStream(capture, exchangeOf(capture, exchange))
  },
})

export const readingPart = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool', 'error']),
  kind: z.enum(['text', 'reasoning', 'tool-call', 'tool-result', 'image', 'file']),
  text: z.string().describe('Of an image its address, or up to 256 KB itself as a data: address.'),
  name: z.string().optional().describe('Of a tool or file.'),
  id: z.string().optional().describe('Of a tool’s call and its result.'),
  size: z.int().optional().describe('Bytes of a file.'),
  failed: z.literal(true).optional().describe('Of a tool’s result: its client says so.'),
})

const reading = defineOperation({
  name: 'capture.reading',
  summary: 'Reads a captured call as a conversation.',
  access: 'user',
  http: { method: 'GET', path: '/api/captures/:request_id/reading' },
  input: z.object({ request_id: captureId }),
  output: z.strictObject({
    input: z.array(readingPart),
    output: z.array(readingPart),
    problem: z.string().nullable().describe('Why a side is missing.'),
    reason: reasonOutput.nullable(),
  }),
  run: ({ request_id: id }, context) => readConversation(ownCapture(id, context)),
})

export const captureComparisonOperations = [diff, events, reading] as const
