import { expect, test } from 'vitest'
import {
  optionsOfGroups,
  readGroups,
} from '../../../../renderer/pages/settings/groups/group-draft.ts'

test('a group that only another option names is not lost by saving', () => {
  const stored = new Map([
    ['GroupRatio', '{"default":1}'],
    ['UserUsableGroups', '{"default":"usual"}'],
    ['TopupGroupRatio', '{"partner":0.8}'],
    ['GroupGroupRatio', '{"staff":{"night":0.5}}'],
    ['AutoGroups', '["default"]'],
  ])
  const drafts = readGroups(stored)
  expect(drafts.groups.map(({ name }) => name)).toEqual(['default', 'partner', 'staff', 'night'])
  const saved = new Map(optionsOfGroups(drafts))
  expect(JSON.parse(saved.get('TopupGroupRatio') ?? '')).toEqual({ partner: 0.8 })
  expect(JSON.parse(saved.get('GroupGroupRatio') ?? '')).toEqual({ staff: { night: 0.5 } })
  expect(Object.keys(JSON.parse(saved.get('GroupRatio') ?? ''))).toContain('night')
})

test('an emptied factor is none, which the gateway refuses, and never the price of nothing', () => {
  const stored = new Map([['GroupRatio', '{"default":1,"night":0.5}']])
  const drafts = readGroups(stored)
  const groups = drafts.groups.map((group) => ({ ...group, ratio: '', topUpRatio: '' }))
  const saved = new Map(optionsOfGroups({ ...drafts, groups }))
  expect(JSON.parse(saved.get('GroupRatio') ?? '')).toEqual({ default: null, night: null })
  expect(saved.get('TopupGroupRatio')).toBe('{}')
})
