import { expect, test } from 'vitest'
import type { ChannelRecord } from '../../../../renderer/gateway/records.ts'
import {
  changesOfDraft,
  draftOfChannel,
} from '../../../../renderer/pages/channels/form/channel-draft.ts'
import { channelRecord } from './channel-records.ts'

const record = (fields: object) =>
  channelRecord({ id: 7, name: 'Work', ...fields }) as unknown as ChannelRecord

test('a limit or proxy that is saved undoes no setting that somebody else has changed meanwhile', () => {
  const read = record({ settings: '{"other":1}', setting: '{"more":1}' })
  const now = record({ settings: '{"other":2}', setting: '{"more":2}' })
  const draft = draftOfChannel(read)
  const limits = { ...draft.limits, idle_seconds: 30 }
  const { settings, setting } = changesOfDraft({ ...draft, limits, proxy: 'http://a' }, read, now)
  expect(JSON.parse(settings ?? '')).toEqual({ other: 2, idle_seconds: 30 })
  expect(JSON.parse(setting ?? '')).toEqual({ more: 2, proxy: 'http://a' })
})
