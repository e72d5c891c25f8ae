import { describe, expect, test } from 'vitest'
import {
  type ChannelView,
  queryOfView,
} from '../../../../renderer/pages/channels/list/channel-view.ts'

const view: ChannelView = {
  ...{ q: '', model: '', status: '', type: '', group: '' },
  ...{ sort: '', view: '' },
}

describe('the list of channels', () => {
  test.each(['name', 'response_time'])('sorted by %s begins with the least', (sort) => {
    expect(queryOfView({ ...view, sort })).toMatchObject({ sort_by: sort, sort_order: 'asc' })
  })

  test.each(['id', 'test_time', 'balance'])('sorted by %s begins with the most', (sort) => {
    expect(queryOfView({ ...view, sort })).toMatchObject({ sort_by: sort, sort_order: 'desc' })
  })

  test.each(['', 'priority', 'nonsense'])('with sort=%s stands in the order of calls', (sort) => {
    expect(queryOfView({ ...view, sort })).not.toHaveProperty('sort_by')
  })
})
