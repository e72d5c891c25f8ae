import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Place } from '../../store/ledger/search/searches.ts'
import { withCapturedTexts } from '../calls/query/captured-texts.ts'
import { parseQuery } from '../calls/query/parse-query.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { integer } from '../operation/input-fields.ts'
import { openPlace, sealPlace } from '../operation/list-place.ts'
import { defineOperation } from '../operation/operation.ts'
import { ownSessions } from './own-sessions.ts'
import { sessionSummary, toSessionSummary } from './session-summary.ts'

const place = z.strictObject({ time: z.number(), id: z.number() })

function readPlace(text: string, parts: Pick<GatewayParts, 'sessionSecrets'>): Place | null {
  if (text === '') return null
  const read = place.safeParse(openPlace(text, parts))
  if (read.success) return read.data
  throw new GatewayError('invalid_params', {
    message: 'The field "cursor" must be a cursor that an earlier page gave.',
    field: 'cursor',
    reason: { code: 'list_place_lost' },
  })
}

/** Titles are read in captures, so a page is short. */
const LONGEST_PAGE = 100

export const sessionList = defineOperation({
  name: 'agent-session.list',
  summary:
    'Lists sessions of agents, the one that was used last first; users who are no administrators see their own.',
  access: 'user',
  http: { method: 'GET', path: '/api/sessions' },
  input: z.object({
    q: z
      .string()
      .max(4000)
      .default('')
      .describe('As in `call.timeline`: sessions with a call that fits.'),
    cursor: z.string().max(1000).default('').describe('`next` of the page before.'),
    limit: integer.pipe(z.int().min(1).max(LONGEST_PAGE)).default(30),
  }),
  output: z.strictObject({
    sessions: z.array(sessionSummary),
    next: z.string().nullable().describe('Cursor of the next page; null at the end.'),
  }),
  async run({ q, cursor, limit }, context) {
    const { parts, signal } = context
    const own = ownSessions(context)
    const isAdministrator = own.length === 0
    const asked = parseQuery(q, { isAdministrator, now: unixSeconds() })
    const conditions = isAdministrator
      ? await withCapturedTexts(asked, parts.timeline.captures, signal)
      : [...asked, ...own]
    const from = readPlace(cursor, parts)
    const found = await parts.ledger.findSessions(conditions, { cursor: from, limit, signal })
    const sessions = []
    for (const sum of found.sessions) sessions.push(await toSessionSummary(sum, context))
    return { sessions, next: found.next && sealPlace(found.next, parts) }
  },
})
