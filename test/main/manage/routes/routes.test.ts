import { describe, expect, test } from 'vitest'
import { echoChannel, startManagement } from '../management.ts'

async function open() {
  const { owner, gateway } = await startManagement()
  await owner.send('POST', '/api/channel', echoChannel({ name: 'Local', tag: 'here' }))
  const send = async (method: string, path: string, body?: unknown) =>
    (await owner.send(method, path, body)).body
  return { send, parts: gateway.parts }
}

const best = (more: object = {}) => ({
  name: 'best',
  targets: [{ model: 'echo' }, { model: 'gone', weight: 2 }],
  ...more,
})

test('a route is added, read, replaced and deleted, and says what each target leads to', async () => {
  const { send, parts } = await open()
  const [channel] = parts.channels.all()
  const when = { min_input_tokens: 1000, tools: true, clients: ['codex'] }
  const rules = [
    { name: 'long', when, targets: [{ model: 'echo', channel_id: channel?.id, tag: 'here' }] },
  ]
  const { data: added } = await send('POST', '/api/route', best({ rules }))
  const targets = [
    { model: 'echo', channel_id: null, tag: null, weight: 0, channels: 1 },
    { model: 'gone', channel_id: null, tag: null, weight: 2, channels: 0 },
  ]
  const own = { model: 'echo', channel_id: channel?.id, tag: 'here', weight: 0, channels: 1 }
  expect(added).toMatchObject({
    ...{ name: 'best', status: 1, targets, hides_model: false },
    rules: [{ name: 'long', when, targets: [own] }],
  })
  expect((await send('GET', '/api/route')).data).toEqual([added])

  const changed = await send('PUT', '/api/route', {
    id: added.id,
    name: 'echo',
    status: 2,
    targets: [{ model: 'gone', tag: '' }],
  })
  expect(changed.data).toMatchObject({
    ...{ id: added.id, name: 'echo', status: 2, rules: [], hides_model: true },
    targets: [{ model: 'gone', tag: null }],
  })
  const fallback = { id: added.id, name: 'echo', targets: [{ model: 'echo' }, { model: 'gone' }] }
  expect((await send('PUT', '/api/route', fallback)).data.hides_model).toBe(false)
  expect(await send('DELETE', `/api/route/${added.id}`)).toMatchObject({ success: true })
  expect((await send('GET', '/api/route')).data).toEqual([])
  expect(await send('DELETE', `/api/route/${added.id}`)).toMatchObject({
    success: false,
    reason: { code: 'no_route', id: added.id },
  })
  expect(await send('PUT', '/api/route', { id: added.id, ...best() })).toMatchObject({
    success: false,
    field: 'id',
  })
})

describe('what is wrong is named with its place', () => {
  const rule = (when: object, targets: object[] = [{ model: 'echo' }]) => ({
    rules: [{ name: 'r', when, targets }],
  })
  test.each([
    ['a name with a blank', { name: 'a b' }, 'name', 'cannot contain spaces'],
    ['a name that reads another way', { name: 'x\u202ey' }, 'name', 'invisible'],
    ['no name', { name: ' ' }, 'name', 'cannot be empty'],
    ['no target', { targets: [] }, 'targets', 'at least one model'],
    ['a target without a model', { targets: [{ model: '' }] }, 'targets[0].model', 'empty'],
    [
      'a channel that is not there',
      { targets: [{ model: 'echo', channel_id: 99 }] },
      'targets[0].channel_id',
      'no channel 99',
    ],
    [
      'a token that is not there',
      rule({ token_ids: [77] }),
      'rules[0].when.token_ids[0]',
      'no token 77',
    ],
    [
      'a negative weight',
      { targets: [{ model: 'm', weight: -1 }] },
      'targets[0].weight',
      '0 to 1000',
    ],
    ['a rule without a condition', rule({}), 'rules[0].when', 'at least one condition'],
    [
      'a range that is none',
      rule({ min_input_tokens: 9, max_input_tokens: 8 }),
      'rules[0].when.max_input_tokens',
      'less than the least',
    ],
    [
      'a rule without a target',
      rule({ tools: true }, []),
      'rules[0].targets',
      'at least one model',
    ],
    ['an unknown condition', rule({ weather: 'fair' }), 'rules[0].when.weather', 'weather'],
  ])('%s', async (_, more, field, message) => {
    const { send, parts } = await open()
    const answer = await send('POST', '/api/route', best(more))
    expect(answer).toMatchObject({ success: false })
    expect(answer.field).toBe(field)
    expect(answer.message).toContain(message)
    expect(parts.routes.all()).toEqual([])
  })

  test('but not a rule for one number of tokens alone', async () => {
    const { send } = await open()
    const exact = rule({ min_input_tokens: 8, max_input_tokens: 8 })
    expect(await send('POST', '/api/route', best(exact))).toMatchObject({ success: true })
  })

  test('a name that another route has, and a target that is a route', async () => {
    const { send } = await open()
    const { data } = await send('POST', '/api/route', best())
    expect(await send('POST', '/api/route', best())).toMatchObject({
      ...{ success: false, field: 'name' },
      reason: { code: 'route_name_taken', name: 'best' },
    })
    expect(
      await send('POST', '/api/route', best({ name: 'other', targets: [{ model: 'best' }] })),
    ).toMatchObject({
      ...{ success: false, field: 'targets[0].model' },
      reason: { code: 'target_is_route' },
    })
    // A route may hide a model, and then stands in the way of no other.
    const hiding = { name: 'echo', targets: [{ model: 'echo' }] }
    expect(await send('POST', '/api/route', hiding)).toMatchObject({ success: true })
    const other = best({ name: 'other', targets: [{ model: 'echo' }] })
    expect(await send('POST', '/api/route', other)).toMatchObject({ success: true })
    // Its own name is a model's.
    const same = { id: data.id, ...best({ targets: [{ model: 'best' }] }) }
    expect(await send('PUT', '/api/route', same)).toMatchObject({ success: true })
  })
})

test('a rule says which of its tokens were deleted, and may keep them', async () => {
  const { send, parts } = await open()
  const made = ['kept', 'gone'].map((name) => parts.tokens.create({ userId: 1, name }).id)
  const [kept, gone] = made
  const when = { token_ids: made }
  const rules = [{ name: 'mine', when, targets: [{ model: 'echo' }] }]
  const { data: added } = await send('POST', '/api/route', best({ rules }))
  expect(added.rules[0].missing_tokens).toEqual([])
  parts.tokens.remove([gone as number])
  const [listed] = (await send('GET', '/api/route')).data
  expect(listed.rules[0]).toMatchObject({ when, missing_tokens: [gone] })

  const off = await send('PUT', '/api/route', { id: added.id, ...best({ rules, status: 2 }) })
  expect(off.data).toMatchObject({ status: 2, rules: [{ missing_tokens: [gone] }] })
  const others = [{ ...rules[0], when: { token_ids: [kept, 12_345] } }]
  expect(
    await send('PUT', '/api/route', { id: added.id, ...best({ rules: others }) }),
  ).toMatchObject({
    ...{ success: false, field: 'rules[0].when.token_ids[1]' },
    reason: { code: 'no_token', id: 12_345 },
  })
})

test('the playground offers a route, and estimates it by its first target', async () => {
  const { send, parts } = await open()
  parts.settings.update({ ModelPrice: { echo: 0.5 } })
  await send('POST', '/api/route', best({ targets: [{ model: 'echo' }] }))
  const { data: models } = await send('GET', '/pg/catalogue')
  expect(models.map(({ id }: { id: string }) => id)).toContain('best')
  const preview = await send('POST', '/pg/preview', {
    model: 'best',
    body: { messages: [{ role: 'user', content: 'Hi' }] },
  })
  expect(preview.data).toMatchObject({ refusal: null, cost: { least: 250_000 } })
})
