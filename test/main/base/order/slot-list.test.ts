import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SlotList } from '../../../../main/base/order/slot-list.ts'

const members = (count: number) => Array.from({ length: count }, (_, id) => ({ id, slot: -1 }))

const listed = (list: SlotList<{ id: number; slot: number }>) => {
  const ids: number[] = []
  list.each(({ id }) => ids.push(id))
  return ids.sort((one, other) => one - other)
}

describe('a list of open calls', () => {
  test('holds what a set would hold, whatever comes and goes', () => {
    const step = fc.record({ id: fc.nat(9), adds: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { minLength: 30, maxLength: 200 }), (steps) => {
        const all = members(10)
        const list = new SlotList<{ id: number; slot: number }>()
        const expected = new Set<number>()
        for (const { id, adds } of steps) {
          const member = all[id]
          if (!member) continue
          if (adds) list.add(member)
          else list.remove(member)
          if (adds) expected.add(id)
          else expected.delete(id)
        }
        expect(listed(list)).toEqual([...expected].sort((one, other) => one - other))
        expect(list.size).toBe(expected.size)
      }),
    )
  })

  test('visits every call even when each ends as it is visited', () => {
    const list = new SlotList<{ id: number; slot: number }>()
    for (const member of members(20)) list.add(member)
    const seen: number[] = []
    list.each((member) => {
      seen.push(member.id)
      list.remove(member)
    })
    expect(seen).toHaveLength(20)
    expect(list.size).toBe(0)
  })
})
