import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Sentence } from '../../base/reason.ts'
import { counted } from '../../base/text/counted.ts'
import { utcTime } from '../../base/text/utc-time.ts'
import type { CallFilter } from '../../store/ledger/ledger.ts'
import { readOwnSetting } from '../account/kept-setting.ts'
import { filterInteger, filterText, integer, pagingFields } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { type Page, pageOutput, readPaging } from '../operation/page.ts'
import { signedIn } from '../operation/signed-in.ts'
import { type CallRecord, callRecord, toCallRecord, toOwnCallRecord } from './call-record.ts'
import { eventRow } from './event-row.ts'

const ownFilterFields = {
  type: filterInteger.describe('0 = all.'),
  start_timestamp: filterInteger.describe('Unix seconds, included.'),
  end_timestamp: filterInteger.describe('Unix seconds, included.'),
  token_name: filterText,
  model_name: filterText.describe('`%` stands for any text.'),
  group: filterText,
  request_id: filterText,
}

const filterFields = { ...ownFilterFields, username: filterText, channel: filterInteger }

type FilterInput = z.output<z.ZodObject<typeof ownFilterFields>> &
  Partial<z.output<z.ZodObject<typeof filterFields>>>

function toFilter(input: FilterInput, userId?: number): CallFilter {
  const filter: CallFilter = {
    userId,
    username: input.username || undefined,
    tokenName: input.token_name || undefined,
    modelName: input.model_name || undefined,
    channelId: input.channel || undefined,
    type: input.type || undefined,
    group: input.group || undefined,
    requestId: input.request_id || undefined,
    start: input.start_timestamp || undefined,
    end: input.end_timestamp || undefined,
  }
  return filter
}

const callPage = pageOutput(callRecord)

const list = defineOperation({
  name: 'call.list',
  summary: 'Lists the log, the newest row first.',
  access: 'admin',
  http: { method: 'GET', path: '/api/log' },
  input: z.object({ ...pagingFields, ...filterFields }),
  output: callPage,
  run(input, { parts }): Page<CallRecord> {
    const paging = readPaging(input)
    const { total, items } = parts.ledger.list(toFilter(input), paging)
    return {
      page: paging.page,
      page_size: paging.pageSize,
      total,
      items: items.map(toCallRecord),
    }
  },
})

const listSelf = defineOperation({
  name: 'call.list-self',
  summary: 'Lists the caller’s own rows of the log, the newest first.',
  access: 'user',
  http: { method: 'GET', path: '/api/log/self' },
  input: z.object({ ...pagingFields, ...ownFilterFields }),
  output: callPage,
  run(input, context): Page<CallRecord> {
    const paging = readPaging(input)
    const user = signedIn(context)
    const showsIp = readOwnSetting(user).record_ip_log === true
    const filter = toFilter(input, user.id)
    const { total, items } = context.parts.ledger.list(filter, paging)
    const first = (paging.page - 1) * paging.pageSize + 1
    return {
      page: paging.page,
      page_size: paging.pageSize,
      total,
      items: items.map((row, index) => toOwnCallRecord(row, first + index, showsIp)),
    }
  },
})

const callStat = z.strictObject({
  quota: z.int().describe('Units.'),
  rpm: z.int().describe('Calls of the last 60 seconds, whatever the filter’s times.'),
  tpm: z.int().describe('Their tokens.'),
  calls: z.int().describe('Failed ones included.'),
  errors: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
})

const stat = defineOperation({
  name: 'call.stat',
  summary: 'Adds up the calls of a filter, and those of the last minute.',
  access: 'admin',
  http: { method: 'GET', path: '/api/log/stat' },
  input: z.object(filterFields),
  output: callStat,
  run: (input, { parts }) => toStat(parts.ledger.stat(toFilter(input))),
})

const statSelf = defineOperation({
  name: 'call.stat-self',
  summary: 'Adds up one’s own calls of a filter, and those of the last minute.',
  access: 'user',
  http: { method: 'GET', path: '/api/log/self/stat' },
  input: z.object(ownFilterFields),
  output: callStat,
  run: (input, context) => toStat(context.parts.ledger.stat(toFilter(input, signedIn(context).id))),
})

function toStat(figures: {
  quota: number
  rpm: number
  tpm: number
  calls: number
  errors: number
  promptTokens: number
  completionTokens: number
}): z.infer<typeof callStat> {
  const { promptTokens, completionTokens, ...rest } = figures
  return { ...rest, prompt_tokens: promptTokens, completion_tokens: completionTokens }
}

const DAY = 86_400

const remove = defineOperation({
  name: 'call.delete',
  summary: 'Removes the rows of the log from before a time; what they add up to stays.',
  access: 'root',
  http: { method: 'DELETE', path: '/api/log' },
  input: z.strictObject({ target_timestamp: integer.describe('Unix seconds.') }),
  output: z.int().describe('How many rows were removed.'),
  async run({ target_timestamp: target }, context) {
    if (target <= 0) {
      throw new GatewayError('invalid_params', {
        message: 'Give the time, in unix seconds, before which rows are removed.',
        field: 'target_timestamp',
        reason: { code: 'field_missing' },
      })
    }
    // Milliseconds would take the whole log, the audit log too. Clocks may differ.
    if (target > unixSeconds() + DAY) {
      throw new GatewayError('invalid_params', {
        message: 'The time is in the future. Give it in unix seconds, not milliseconds.',
        field: 'target_timestamp',
        reason: { code: 'rows_before_future' },
      })
    }
    const { ledger } = context.parts
    const time = utcTime(target)
    const count = await ledger.removeBefore(target)
    const content: Sentence = {
      message: `Removed ${counted(count, 'row')} of the log from before ${time}.`,
      reason: { code: 'audit_rows_removed', count, time },
    }
    const { requestId, ip } = context
    await ledger.record(eventRow(3, signedIn(context), content, { requestId, ip }))
    return count
  },
})

const searchInput = z.object({ ...pagingFields, keyword: filterText })

/** Deprecated in new-api, where it finds nothing either: the lists have filters. */
function findNothing(input: z.output<typeof searchInput>): Page<CallRecord> {
  const { page, pageSize } = readPaging(input)
  return { page, page_size: pageSize, total: 0, items: [] }
}

const search = defineOperation({
  name: 'call.search',
  summary: 'Deprecated: finds nothing; the list of the log has filters.',
  access: 'admin',
  http: { method: 'GET', path: '/api/log/search' },
  input: searchInput,
  output: callPage,
  run: findNothing,
})

const searchSelf = defineOperation({
  name: 'call.search-self',
  summary: 'Deprecated: finds nothing; the list of one’s own rows has filters.',
  access: 'user',
  http: { method: 'GET', path: '/api/log/self/search' },
  input: searchInput,
  output: callPage,
  run: findNothing,
})

export const callOperations = [list, listSelf, stat, statSelf, remove, search, searchSelf] as const
