import { expect, test } from 'vitest'
import {
  channelDraft,
  codeDraft,
  groupDraft,
  routeDraft,
  tokenDraft,
  userDraft,
} from '../../../main/transfer/draft-schemas.ts'

test('what a file written by hand leaves out of an entry limits nothing and grants nothing', () => {
  expect(channelDraft.parse({ name: 'a', type: 1, models: ['m'] })).toEqual({
    ...{ name: 'a', type: 1, base_url: null, keys: [], models: ['m'], model_mapping: {} },
    ...{ priority: 0, weight: 0, group: 'default', tag: null, disabled: false },
  })
  expect(tokenDraft.parse({ name: 'a' })).toEqual({
    ...{ name: 'a', user: null, key: null, disabled: false, expired_time: -1 },
    ...{ granted_quota: 0, unlimited_quota: false, models: null, allow_ips: [] },
    ...{ group: '', cross_group_retry: false, day_budget: null, month_budget: null },
    ...{ budget_warning: 80, requests_per_minute: null, tokens_per_minute: null },
    model_aliases: {},
  })
  expect(routeDraft.parse({ name: 'a', targets: [{ model: 'm' }] })).toEqual({
    ...{ name: 'a', disabled: false, rules: [] },
    targets: [{ model: 'm', channel: null, tag: null, weight: 0 }],
  })
  expect(groupDraft.parse({ name: 'a', ratio: 1 })).toEqual({
    ...{ name: 'a', ratio: 1, description: null, topup_ratio: null, ratios: {}, auto_place: null },
  })
  expect(userDraft.parse({ username: 'a' })).toEqual({
    ...{ username: 'a', display_name: '', role: 1, disabled: false, email: '', group: 'default' },
    ...{ quota: 0, language: '', remark: '', password_hash: null },
  })
  const code = { code: '0'.repeat(32), name: 'a', quota: 1 }
  expect(codeDraft.parse(code)).toEqual({ ...code, expired_time: 0, disabled: false })
})
