import { z } from 'zod'
import type { CallFilter } from '../store/ledger.ts'
import { type CallRecord, toCallRecord, toOwnCallRecord } from './call-record.ts'
import { filterInteger, filterText, pagingFields } from './input-fields.ts'
import { defineOperation } from './operation.ts'
import { type Page, readPaging } from './page.ts'
import { signedIn } from './signed-in.ts'

const ownFilterFields = {
  /** 0 = all. */
  type: filterInteger,
  start_timestamp: filterInteger,
  end_timestamp: filterInteger,
  token_name: filterText,
  /** `%` stands for any text. */
  model_name: filterText,
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

const list = defineOperation({
  name: 'call.list',
  access: 'admin',
  http: { method: 'GET', path: '/api/log' },
  input: z.object({ ...pagingFields, ...filterFields }),
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
  access: 'user',
  http: { method: 'GET', path: '/api/log/self' },
  input: z.object({ ...pagingFields, ...ownFilterFields }),
  run(input, context): Page<CallRecord> {
    const paging = readPaging(input)
    const filter = toFilter(input, signedIn(context).id)
    const { total, items } = context.parts.ledger.list(filter, paging)
    const first = (paging.page - 1) * paging.pageSize + 1
    return {
      page: paging.page,
      page_size: paging.pageSize,
      total,
      items: items.map((row, index) => toOwnCallRecord(row, first + index)),
    }
  },
})

/** Quota over the filter; calls and tokens of the last 60 seconds. */
export interface CallStat {
  quota: number
  rpm: number
  tpm: number
  calls: number
  errors: number
  prompt_tokens: number
  completion_tokens: number
}

const stat = defineOperation({
  name: 'call.stat',
  access: 'admin',
  http: { method: 'GET', path: '/api/log/stat' },
  input: z.object(filterFields),
  run: (input, { parts }) => toStat(parts.ledger.stat(toFilter(input))),
})

const statSelf = defineOperation({
  name: 'call.stat-self',
  access: 'user',
  http: { method: 'GET', path: '/api/log/self/stat' },
  input: z.object(ownFilterFields),
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
}): CallStat {
  const { promptTokens, completionTokens, ...rest } = figures
  return { ...rest, prompt_tokens: promptTokens, completion_tokens: completionTokens }
}

export const callOperations = [list, listSelf, stat, statSelf] as const
