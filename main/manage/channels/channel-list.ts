import { z } from 'zod'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { filterInteger, filterText, flag, pagingFields } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { type Page, pageOf, pageOutput, readPaging } from '../operation/page.ts'
import { type ChannelRecord, channelRecord, toChannelRecord } from './channel-record.ts'

const filterFields = {
  ...pagingFields,
  /** `enabled` or 1, `disabled` or 0. */
  status: z.union([z.int().transform(String), z.string()]).optional(),
  type: filterInteger,
  group: filterText,
  id_sort: flag.optional(),
  tag_mode: flag.optional(),
  sort_by: z
    .enum(['', 'id', 'name', 'priority', 'balance', 'response_time', 'test_time'])
    .optional(),
  sort_order: z.enum(['', 'asc', 'desc']).optional(),
}

type FilterInput = z.output<z.ZodObject<typeof filterFields>>

const sortValues = {
  id: (channel: Channel) => channel.id,
  name: (channel: Channel) => channel.name.toLowerCase(),
  priority: (channel: Channel) => channel.priority,
  balance: (channel: Channel) => channel.balance,
  // An answer that never came is not the fastest.
  response_time: (channel: Channel) =>
    channel.lastTest?.problem == null ? channel.responseTime : Infinity,
  test_time: (channel: Channel) => channel.testTime,
}

/** Highest priority first, or by id, or by the column that was asked for; ties by id, newest first. */
function sorted(channels: readonly Channel[], input: FilterInput): Channel[] {
  const column = input.sort_by || (input.id_sort ? 'id' : 'priority')
  const sign = input.sort_by && input.sort_order === 'asc' ? 1 : -1
  const sortValue = sortValues[column]
  return [...channels].sort((one, other) => {
    const [left, right] = [sortValue(one), sortValue(other)]
    if (left === right) return other.id - one.id
    return (left < right ? -1 : 1) * sign
  })
}

function hasStatus(channel: Channel, status: string | undefined): boolean {
  if (status === 'enabled' || status === '1') return channel.status === 1
  if (status === 'disabled' || status === '0') return channel.status !== 1
  return true
}

function filtered(input: FilterInput, parts: GatewayParts): Channel[] {
  return parts.channels
    .all()
    .filter(
      (channel) =>
        hasStatus(channel, input.status) &&
        (input.group === '' || channel.groups.includes(input.group)),
    )
}

const ofType = (channels: readonly Channel[], type: number | undefined): readonly Channel[] =>
  type ? channels.filter((channel) => channel.type === type) : channels

/** How many channels of each type there are, before the filter by type. */
function countTypes(channels: readonly Channel[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of channels) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

/** With `tag_mode` a page is one of tags, and shows all channels of these. */
function pageOfChannels(
  channels: readonly Channel[],
  input: FilterInput,
  parts: GatewayParts,
  defaultSize?: number,
): Page<ChannelRecord> {
  const paging = readPaging(input, defaultSize)
  const show = (channel: Channel) => toChannelRecord(channel, parts)
  if (!input.tag_mode) return pageOf(channels, paging, show)
  const tags = [...new Set(channels.map(({ tag }) => tag ?? ''))].sort()
  const page = pageOf(tags, paging, (tag) => tag)
  const shown = page.items.flatMap((tag) => channels.filter((one) => (one.tag ?? '') === tag))
  return { ...page, items: shown.map(show) }
}

const channelPage = pageOutput(channelRecord).extend({
  type_counts: z
    .record(z.string(), z.int())
    .describe('How many channels of each type the filters find, that by type left aside.'),
})

const list = defineOperation({
  name: 'channel.list',
  summary: 'Lists channels a page at a time, or with `tag_mode` the channels of a page of tags.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel' },
  input: z.object(filterFields),
  output: channelPage,
  run(input, { parts }) {
    const all = filtered(input, parts)
    const page = pageOfChannels(sorted(ofType(all, input.type), input), input, parts)
    return { ...page, type_counts: countTypes(all) }
  },
})

/** Is it the channel's number, or part of its name or base URL? Never of its key. */
function isNamed(channel: Channel, keyword: string): boolean {
  const wanted = keyword.toLowerCase()
  return (
    wanted === '' ||
    String(channel.id) === wanted ||
    channel.name.toLowerCase().includes(wanted) ||
    channel.baseUrl.toLowerCase().includes(wanted)
  )
}

const search = defineOperation({
  name: 'channel.search',
  summary: 'Finds channels by number, name or address, and by model.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/search' },
  input: z.object({ ...filterFields, keyword: filterText, model: filterText }),
  output: channelPage,
  run(input, { parts }) {
    const model = input.model.toLowerCase()
    const all = filtered(input, parts).filter(
      (channel) =>
        isNamed(channel, input.keyword) &&
        (model === '' || channel.models.some((name) => name.toLowerCase().includes(model))),
    )
    const page = pageOfChannels(sorted(ofType(all, input.type), input), input, parts, 20)
    return { ...page, type_counts: countTypes(all) }
  },
})

export const channelListOperations = [list, search] as const
