import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { SearchCondition } from '../../store/ledger/search/search-condition.ts'
import type { ListedField } from '../../store/ledger/search/searches.ts'
import { readOwnSetting } from '../account/kept-setting.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import { integer } from '../operation/input-fields.ts'
import { sealPlace } from '../operation/list-place.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { findTimelineRow } from './find-timeline-row.ts'
import { withCapturedTexts } from './query/captured-texts.ts'
import { parseQuery } from './query/parse-query.ts'
import { wrongTerm } from './query/query-error.ts'
import { readCursor, type TimelineCursor, timelineSorts } from './timeline-cursor.ts'
import { mayHold, readTimelinePage, withoutSource } from './timeline-page.ts'
import { timelineRow, toTimelineRow, type Viewer } from './timeline-row.ts'

const LONGEST_PAGE = 500
const SUGGESTIONS = 20

const query = z
  .string()
  .max(4000)
  .default('')
  .describe(
    'As in the query bar: `status:5xx -model:claude slow:>5s channel:"Work" word`. All terms must hold.',
  )

function viewerOf(context: OperationContext): Viewer {
  const user = signedIn(context)
  return {
    userId: user.id,
    isAdministrator: hasAdministratorRole(user),
    showsIp: readOwnSetting(user).record_ip_log === true,
  }
}

const ownRows = ({ userId }: Viewer): SearchCondition => ({
  ...{ test: 'range', field: 'userId', isNegated: false },
  range: { atLeast: userId, atMost: userId },
})

/** Sign-ins, changes and credits have a list of their own: `audit.list`. */
const modelCalls: SearchCondition = { test: 'types', types: [2, 5], isNegated: false }

/** The query’s conditions, that rows are calls, and the viewer’s own. Texts of captures are searched for administrators. */
async function readConditions(
  text: string,
  viewer: Viewer,
  { parts: { timeline }, signal }: OperationContext,
): Promise<SearchCondition[]> {
  const { isAdministrator } = viewer
  const conditions = [modelCalls, ...parseQuery(text, { isAdministrator, now: unixSeconds() })]
  if (!isAdministrator) return [...conditions, ownRows(viewer)]
  return withCapturedTexts(conditions, timeline.captures, signal)
}

function firstCursor(
  { sort, order }: Pick<TimelineCursor, 'sort' | 'order'>,
  { ledger, timeline }: OperationContext['parts'],
): TimelineCursor {
  const since = { calls: ledger.newest(), refused: timeline.refused?.newest() ?? null }
  return { sort, order, calls: null, refused: null, since }
}

function cursorOf(
  { cursor, ...asked }: Pick<TimelineCursor, 'sort' | 'order'> & { cursor: string },
  parts: OperationContext['parts'],
): TimelineCursor {
  if (cursor === '') return firstCursor(asked, parts)
  const read = readCursor(cursor, 'cursor', parts)
  if (read.sort === asked.sort && read.order === asked.order) return read
  throw new GatewayError('invalid_params', {
    message: `The field "cursor" is of a list by ${read.sort}, ${read.order}. Ask for its next page with the same sort and order.`,
    field: 'cursor',
    reason: { code: 'list_place_lost' },
  })
}

const timelineOperation = defineOperation({
  name: 'call.timeline',
  summary:
    'Lists calls, running calls and refused requests that match a query; users who are no administrators see their own.',
  access: 'user',
  http: { method: 'GET', path: '/api/log/timeline' },
  input: z.object({
    q: query,
    cursor: z.string().max(1000).default('').describe('`next` of the page before.'),
    limit: integer.pipe(z.int().min(1).max(LONGEST_PAGE)).default(100),
    sort: z
      .enum(timelineSorts)
      .default('time')
      .describe(
        'Otherwise than newest first: the newest 100 000 calls that fit, and no refused requests.',
      ),
    order: z.enum(['desc', 'asc']).default('desc'),
  }),
  output: z.strictObject({
    rows: z
      .array(timelineRow)
      .describe('On the first page running calls come first, beyond the limit.'),
    next: z
      .string()
      .nullable()
      .describe(
        'Cursor of the next page; null at the end. A page may be short, or empty, and have a next one.',
      ),
    newest: z.string().describe('Cursor from which `call.news` counts.'),
  }),
  failureData: wrongTerm,
  async run(input, context) {
    const { parts, signal } = context
    const { limit } = input
    const viewer = viewerOf(context)
    const cursor = cursorOf(input, parts)
    const conditions = await readConditions(input.q, viewer, context)
    const page = await readTimelinePage({ conditions, cursor, limit, signal }, parts)
    const captured = capturedOf(
      page.rows.map(({ row }) => row.requestId),
      viewer,
      parts,
    )
    return {
      rows: page.rows.map(({ row, source }) => toTimelineRow(row, source, viewer, captured)),
      next: page.next && sealPlace(page.next, parts),
      newest: sealPlace({ ...cursor, calls: null, refused: null }, parts),
    }
  },
})

/** Captures are the administrators’, and those of users’ own calls theirs where the owner lets them. */
function capturedOf(
  requestIds: readonly string[],
  { isAdministrator }: Viewer,
  { timeline: { captures }, settings }: OperationContext['parts'],
): ReadonlySet<string> {
  const isShown = isAdministrator || settings.current.CaptureForUsers
  return captures && isShown ? captures.has(requestIds) : new Set()
}

const news = defineOperation({
  name: 'call.news',
  summary: 'Counts the rows that fit a query and came after a list was read.',
  access: 'user',
  http: { method: 'GET', path: '/api/log/timeline/news' },
  input: z.object({
    q: query,
    since: z.string().max(1000).describe('`newest` of the list, or any of its cursors.'),
  }),
  output: z.strictObject({ count: z.int().describe('At most 10 000 of calls.') }),
  failureData: wrongTerm,
  async run(input, context) {
    const { parts, signal } = context
    const { since } = readCursor(input.since, 'since', parts)
    const conditions = await readConditions(input.q, viewerOf(context), context)
    const { refused } = parts.timeline
    const ofRows = withoutSource(conditions)
    const [calls, others] = await Promise.all([
      mayHold('ledger', conditions) ? parts.ledger.countSince(ofRows, since.calls, signal) : 0,
      refused && since.refused && mayHold('refused', conditions)
        ? refused.countSince(ofRows, since.refused)
        : 0,
    ])
    return { count: calls + others }
  },
})

const listed: Readonly<Record<string, ListedField>> = {
  ...{ model: 'model', token: 'token', path: 'path', client: 'client', session: 'session' },
  ...{ format: 'format', error: 'error', status: 'status', id: 'requestId' },
  ...{ channel: 'channel', user: 'user' },
}
const administrators = new Set(['channel', 'user'])

const suggest = defineOperation({
  name: 'call.suggest',
  summary:
    'Lists values of a field of the query bar, those that begin so first, then the commonest.',
  access: 'user',
  http: { method: 'GET', path: '/api/log/suggest' },
  input: z.object({
    field: z.string().describe(`One of ${Object.keys(listed).join(', ')}.`),
    prefix: z.string().max(200).default('').describe('A part of the value, in any case.'),
  }),
  output: z.strictObject({
    values: z.array(
      z.strictObject({
        value: z.string(),
        count: z.int().describe('Rows that have it, of the newest 100 000.'),
      }),
    ),
  }),
  async run({ field, prefix }, context) {
    const viewer = viewerOf(context)
    const names = Object.keys(listed).filter(
      (name) => viewer.isAdministrator || !administrators.has(name),
    )
    const column = names.includes(field) ? listed[field] : undefined
    if (!column) {
      throw new GatewayError('invalid_params', {
        message: `The field "field" must be one of ${names.join(', ')}.`,
        field: 'field',
        reason: { code: 'field_one_of', values: names.join(', ') },
      })
    }
    const conditions = viewer.isAdministrator ? [modelCalls] : [modelCalls, ownRows(viewer)]
    const { ledger } = context.parts
    return { values: await ledger.valuesOf(column, prefix, SUGGESTIONS, conditions) }
  },
})

const one = defineOperation({
  name: 'call.one',
  summary: 'Shows one row by its request id, also of a running call or a refused request.',
  access: 'user',
  http: { method: 'GET', path: '/api/log/one/:request_id' },
  input: z.object({ request_id: z.string().max(100) }),
  output: timelineRow,
  run({ request_id: requestId }, context) {
    const viewer = viewerOf(context)
    const { row, source } = findTimelineRow(requestId, viewer, context.parts)
    return toTimelineRow(row, source, viewer, capturedOf([requestId], viewer, context.parts))
  },
})

/** Milliseconds that a stopped call has to be booked; mostly it takes a few. */
const BOOKING = 3000

const stop = defineOperation({
  name: 'call.stop',
  summary:
    'Stops a running call and shows its row: the client gets an error, and all that came is booked.',
  access: 'user',
  http: { method: 'POST', path: '/api/log/stop' },
  input: z.strictObject({ request_id: z.string().max(100) }),
  output: timelineRow,
  async run({ request_id: requestId }, context) {
    const viewer = viewerOf(context)
    const { openCalls } = context.parts
    const call = openCalls.find(requestId)
    if (!call || !(viewer.isAdministrator || call.userId === viewer.userId)) {
      throw new GatewayError('not_found', {
        message: `No call with the id "${requestId}" is running: it has ended, or there was none. Reload the list.`,
        reason: { code: 'call_not_under_way', id: requestId },
      })
    }
    const over = openCalls.whenOver(call, BOOKING)
    call.interrupt(
      new GatewayError('call_stopped', {
        message: 'The call was stopped in the console.',
        reason: { code: 'call_stopped_in_console' },
      }),
    )
    await over
    const { row, source } = findTimelineRow(requestId, viewer, context.parts)
    return toTimelineRow(row, source, viewer, capturedOf([requestId], viewer, context.parts))
  },
})

export const timelineOperations = [timelineOperation, news, suggest, one, stop] as const
