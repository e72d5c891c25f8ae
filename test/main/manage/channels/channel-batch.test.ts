import { describe, expect, test } from 'vitest'
import { type Management, startManagement } from '../management.ts'

const addChannels = ({ gateway }: Management, list: object[]) =>
  gateway.parts.channels
    .createMany(
      list.map((fields, index) => ({
        type: 1,
        name: `Channel ${index + 1}`,
        key: `sk-vendor-${index}`,
        models: ['gpt-a'],
        ...fields,
      })),
    )
    .map(({ id }) => id)

const statuses = ({ gateway }: Management) =>
  gateway.parts.channels.all().map(({ status }) => status)

describe('deleting several channels', () => {
  test('tells how many there really were, takes them out of routing, and leaves the rest', async () => {
    const management = await startManagement()
    const { owner, gateway } = management
    const [first = 0, second = 0] = addChannels(management, [{}, {}, { name: 'Stays' }])
    const { status, body } = await owner.send('POST', '/api/channel/batch', {
      ids: [first, second, first, 999],
    })
    expect([status, body.data]).toEqual([200, 2])
    expect(gateway.parts.channels.all().map(({ name }) => name)).toEqual(['Stays'])
    expect(gateway.parts.channels.serving('default', 'gpt-a')).toHaveLength(1)
    const again = await owner.send('POST', '/api/channel/batch/', { ids: [first] })
    expect(again.body).toMatchObject({ success: true, data: 0 })
  })

  test('of an empty, wrong or endless list is refused, with the field', async () => {
    const management = await startManagement()
    addChannels(management, [{}])
    const endless = Array.from({ length: 1001 }, (_, index) => index + 1)
    for (const [sent, field] of [
      [{ ids: [] }, 'ids'],
      [{}, 'ids'],
      [{ ids: 'all' }, 'ids'],
      [{ ids: ['x'] }, 'ids[0]'],
      [{ ids: endless }, 'ids'],
      [{ ids: [1], tag: 'x' }, 'tag'],
    ] as const) {
      const { status, body } = await management.owner.send('POST', '/api/channel/batch', sent)
      expect([status, body.code, body.field]).toEqual([400, 'invalid_params', field])
    }
    expect(management.gateway.parts.channels.all()).toHaveLength(1)
  })

  test('all that are disabled go, by whomever they were', async () => {
    const management = await startManagement()
    addChannels(management, [{}, { status: 2 }, { status: 3 }])
    const { body } = await management.owner.send('DELETE', '/api/channel/disabled')
    expect(body.data).toBe(2)
    expect(statuses(management)).toEqual([1])
  })
})

describe('the status of several channels', () => {
  test('is changed in one write, and those are counted that had another one', async () => {
    const management = await startManagement()
    const ids = addChannels(management, [{}, { status: 2 }, {}])
    let writes = 0
    management.gateway.parts.state.onChange(() => writes++)
    const disabled = { ids: [...ids, 999], status: 2 }
    const { body } = await management.owner.send('POST', '/api/channel/status/batch', disabled)
    expect(body.data).toBe(2)
    expect(writes).toBe(1)
    expect(statuses(management)).toEqual([2, 2, 2])
    const info = JSON.parse(management.gateway.parts.channels.byId(ids[0] ?? 0)?.otherInfo ?? '')
    expect(info).toMatchObject({ status_reason: 'Disabled by ada' })
  })

  test('can only be enabled or disabled by hand', async () => {
    const management = await startManagement()
    const ids = addChannels(management, [{}])
    const sent = { ids, status: 3 }
    const { body } = await management.owner.send('POST', '/api/channel/status/batch', sent)
    expect(body).toMatchObject({ code: 'invalid_params', field: 'status' })
    expect(statuses(management)).toEqual([1])
  })
})

describe('the tag of several channels', () => {
  test('is set and taken away again', async () => {
    const management = await startManagement()
    const ids = addChannels(management, [{}, {}, { tag: 'old' }])
    const path = '/api/channel/batch/tag'
    const tagged = await management.owner.send('POST', path, { ids: [...ids, 99], tag: ' new ' })
    expect(tagged.body.data).toBe(3)
    const tags = () => management.gateway.parts.channels.all().map(({ tag }) => tag)
    expect(tags()).toEqual(['new', 'new', 'new'])
    await management.owner.send('POST', path, { ids: ids.slice(0, 1), tag: null })
    await management.owner.send('POST', path, { ids: ids.slice(1, 2), tag: '' })
    expect(tags()).toEqual([null, null, 'new'])
  })

  test('is not taken away by leaving it out', async () => {
    const management = await startManagement()
    const ids = addChannels(management, [{ tag: 'kept' }])
    const { body } = await management.owner.send('POST', '/api/channel/batch/tag', { ids })
    expect(body).toMatchObject({ code: 'invalid_params', field: 'tag' })
    expect(management.gateway.parts.channels.byId(1)?.tag).toBe('kept')
  })
})
