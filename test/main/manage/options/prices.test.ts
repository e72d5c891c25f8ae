import { describe, expect, test, vi } from 'vitest'
import { priceOf as known } from '../../../../main/relay/pricing/model-price.ts'
import { echoChannel, type Management, startManagement, type Visitor } from '../management.ts'

const priceOf = async (who: Visitor, model: string) => {
  const { body } = await who.get('/api/prices')
  return body.data.items.find((one: { model: string }) => one.model === model)
}

/** Someone of a role, signed in. */
async function signInAs({ gateway, visitor }: Management, role: 1 | 10): Promise<Visitor> {
  const accessToken = `access-token-of-role-${role}`.padEnd(32, 'x')
  gateway.parts.users.create({ username: `role${role}`, role, accessToken })
  const one = visitor()
  const headers = { authorization: `Bearer ${accessToken}` }
  return {
    ...one,
    send: (method, path, body) => one.send(method, path, body, headers),
    get: (path) => one.get(path, headers),
  }
}

const echo = echoChannel({ models: 'echo,gpt-5-2025-08-07,vendor/odd:name' })

describe('the price list', () => {
  test('has what is served, what is in the table and what was priced here', async () => {
    const management = await startManagement()
    const { owner } = management
    await owner.send('POST', '/api/channel', echo)
    const { status, body } = await owner.get('/api/prices')
    expect(status).toBe(200)
    expect(body.data.as_of).toMatch(/^2026-\d\d-\d\d$/)
    const names = body.data.items.map((one: { model: string }) => one.model)
    expect(names).toEqual([...names].sort())
    expect(await priceOf(owner, 'gpt-5-2025-08-07')).toEqual({
      model: 'gpt-5-2025-08-07',
      vendor: 'OpenAI',
      source: 'table',
      unit: 'tokens',
      input: 1.25,
      output: 10,
      cached_input: 0.125,
      cache_write: null,
      audio_input: null,
      audio_output: null,
      image_input: null,
      image_output: null,
      long: null,
      next: null,
      tiers: { flex: 0.5, fast: 2 },
      call: null,
      second: null,
      character: null,
      image: null,
      search: null,
      as_of: '2026-07-02',
      page: 'https://developers.openai.com/api/docs/pricing',
      checked: false,
      served: true,
    })
    expect(await priceOf(owner, 'echo')).toMatchObject({
      ...{ vendor: '', source: 'none', input: null, as_of: null, page: null, served: true },
    })
    expect(await priceOf(owner, 'whisper-1')).toMatchObject({ input: null, second: 0.0001 })
    expect(await priceOf(owner, 'gemini-2.5-pro')).toMatchObject({
      served: false,
      long: { above: 200_000, input: 2.5, output: 15, cached_input: 0.25, cache_write: null },
    })
  })

  test('tells what the vendor announced, until it holds', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T12:00:00Z') })
    try {
      const { owner } = await startManagement()
      const before = await priceOf(owner, 'gemini-4-argon')
      expect(before).toMatchObject({ input: 2, output: 10, cached_input: 0.1 })
      const next = { day: '2026-12-01', input: 4, output: 20, cached_input: 0.2 }
      expect(before.next).toEqual(next)
      // Its ultrafast mode alone gets dearer.
      expect((await priceOf(owner, 'gpt-6.2-sol')).next).toBeNull()
      vi.setSystemTime(Date.parse('2026-12-01T12:00:00Z'))
      const after = await priceOf(owner, 'gemini-4-argon')
      expect(after).toMatchObject({ input: 4, output: 20, cached_input: 0.2, next: null })
    } finally {
      vi.useRealTimers()
    }
  })

  test('is for administrators to read, and for the owner to change', async () => {
    const management = await startManagement()
    const price = { model: 'echo', input: 1, output: 2 }
    const nobody = management.visitor()
    expect((await nobody.get('/api/prices')).status).toBe(401)
    const user = await signInAs(management, 1)
    expect((await user.get('/api/prices')).status).toBe(403)
    const admin = await signInAs(management, 10)
    expect((await admin.get('/api/prices')).status).toBe(200)
    for (const who of [nobody, user, admin]) {
      const status = who === nobody ? 401 : 403
      expect((await who.send('PUT', '/api/prices', price)).status).toBe(status)
      expect((await who.send('DELETE', '/api/prices/echo')).status).toBe(status)
      expect((await who.send('POST', '/api/option/rest_model_ratio', {})).status).toBe(status)
    }
  })
})

describe('a price that is set', () => {
  test('is read back as it was sent, and holds for the next call', async () => {
    const { owner, gateway } = await startManagement()
    await owner.send('POST', '/api/channel', echo)
    const price = {
      ...{ model: 'echo', input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 },
      ...{ audio_input: 6, audio_output: 24, image_input: 4.5, second: 0.01 },
    }
    const { status, body } = await owner.send('PUT', '/api/prices', price)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ ...price, source: 'own', as_of: null, served: true })
    expect(await priceOf(owner, 'echo')).toEqual(body.data)
    const call = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] }
    expect((await owner.send('POST', '/pg/chat/completions', call)).status).toBe(200)
    const [row] = gateway.parts.ledger.list({ type: 2 }, { page: 1, pageSize: 1 }).items
    const { promptTokens = 0, completionTokens = 0, quota = 0, other = '' } = row ?? {}
    expect(quota).toBe(Math.round(promptTokens * 1.5 + completionTokens * 7.5))
    expect(JSON.parse(other)).toMatchObject({ model_ratio: 1.5, completion_ratio: 5 })
    // As it was read it may be sent back.
    expect((await owner.send('PUT', '/api/prices', body.data)).body.data).toEqual(body.data)
  })

  test('an empty output has no price: it is free', async () => {
    const { owner } = await startManagement()
    const saved = await owner.send('PUT', '/api/prices', { model: 'gpt-5', input: 2, output: null })
    expect([saved.status, saved.body.data]).toMatchObject([200, { input: 2, output: 0 }])
  })

  test('replaces all of the table’s, until it is taken back', async () => {
    const { owner } = await startManagement()
    const before = await priceOf(owner, 'gpt-5')
    const own = { model: 'gpt-5', input: 2, output: 4 }
    expect((await owner.send('PUT', '/api/prices', own)).body.data).toMatchObject({
      ...{ source: 'own', vendor: 'OpenAI', input: 2, output: 4, cached_input: null, page: null },
    })
    await owner.send('PUT', '/api/prices', { model: 'gpt-5', call: 0.02 })
    expect(await priceOf(owner, 'gpt-5')).toMatchObject({ unit: 'call', call: 0.02, input: null })
    const { status, body } = await owner.send('DELETE', '/api/prices/gpt-5')
    expect(status).toBe(200)
    expect(body.data).toEqual(before)
  })

  test.each(['gemini-3-pro-image', 'gemini-2.5-pro', 'sonar', 'deepseek-flash', 'whisper-1'])(
    'changes nothing where that of %s is sent back as it was read',
    async (model) => {
      const { owner, gateway } = await startManagement()
      const { settings } = gateway.parts
      const without = (price: object | null) => ({ ...price, source: '', listed: null })
      const [before, shown] = [known(model, settings.current), await priceOf(owner, model)]
      expect((await owner.send('PUT', '/api/prices', shown)).status).toBe(200)
      expect(without(known(model, settings.current))).toEqual(without(before))
    },
  )

  test('cannot be taken back where there is none', async () => {
    const { owner } = await startManagement()
    const { status, body } = await owner.send('DELETE', '/api/prices/gpt-5')
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'not_found', field: 'model' })
    expect((await owner.get('/api/log?type=3')).body.data.items).toEqual([])
  })

  test('may belong to a model whose name has slashes and colons', async () => {
    const { owner } = await startManagement()
    const model = 'vendor/odd:name'
    await owner.send('PUT', '/api/prices', { model, input: 1, output: 1 })
    expect(await priceOf(owner, model)).toMatchObject({ source: 'own' })
    const path = `/api/prices/${encodeURIComponent(model)}`
    expect((await owner.send('DELETE', path)).body.data).toMatchObject({ model, source: 'none' })
    expect(await priceOf(owner, model)).toBeUndefined()
  })

  test('stands in the log with who set it', async () => {
    const { owner, gateway } = await startManagement()
    await owner.send('PUT', '/api/prices', { model: 'm', input: 1, output: 2 })
    const [row] = gateway.parts.ledger.list({ type: 3 }, { page: 1, pageSize: 1 }).items
    expect(row).toMatchObject({ username: 'ada', content: 'Set the price of the model "m".' })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ price: { input: 1, output: 2 } })
  })

  test.each([
    [{}, 'model', 'missing'],
    [{ model: 'm' }, 'input', 'Give a price'],
    [{ model: 'm', output: 1 }, 'input', 'also needs a price'],
    [{ model: 'm', input: -1, output: 1 }, 'input', 'negative'],
    [{ model: 'm', input: '1', output: 1 }, 'input', 'must be a number'],
    [{ model: 'm', input: 1e9, output: 1 }, 'input', 'at most'],
    [{ model: 'm', call: 1, input: 1, output: 1 }, 'input', 'not both'],
    [{ model: 'm', call: 1, second: 1 }, 'second', 'not both'],
    [{ model: 'm', input: 0, output: 1 }, 'input', '"input" can’t be 0'],
    [{ model: 'm', input: 1, output: 1, prise: 1 }, 'prise', 'no field'],
  ])('%j is refused with the field', async (price, field, words) => {
    const { owner, gateway } = await startManagement()
    const { status, body } = await owner.send('PUT', '/api/prices', price)
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, code: 'invalid_params', field })
    expect(body.message).toContain(words)
    expect(gateway.parts.settings.current.ModelRatio).toEqual({})
  })
})

test('resetting the ratios leaves prices by the call alone', async () => {
  const { owner, gateway } = await startManagement()
  await owner.send('PUT', '/api/prices', { model: 'a', input: 1, output: 2, cached_input: 0.5 })
  await owner.send('PUT', '/api/prices', { model: 'b', call: 0.5 })
  const { status, body } = await owner.send('POST', '/api/option/rest_model_ratio', {})
  expect(status).toBe(200)
  expect(body).toEqual({ success: true, message: '' })
  expect(gateway.parts.settings.current).toMatchObject({
    ...{ ModelRatio: {}, CompletionRatio: {}, CacheRatio: {}, ModelPrice: { b: 0.5 } },
  })
})

describe('/api/pricing', () => {
  test('has the fields that new-api’s clients read', async () => {
    const { owner, gateway } = await startManagement()
    gateway.parts.settings.update({
      GroupRatio: { default: 2, vip: 0.5, hidden: 9 },
      UserUsableGroups: { default: 'All', vip: 'Few' },
      AutoGroups: ['vip', 'default'],
      ModelPrice: { drawn: 0.04 },
    })
    await owner.send('POST', '/api/channel', echoChannel({ models: 'gpt-5,drawn,unpriced' }))
    await owner.send('POST', '/api/channel', echoChannel({ models: 'gpt-5', group: 'vip,hidden' }))
    await owner.send('POST', '/api/channel', echoChannel({ models: 'gpt-5-mini', group: 'hidden' }))
    const { status, body } = await owner.get('/api/pricing')
    expect(status).toBe(200)
    const { data, ...beside } = body as unknown as { data: { model_name: string }[] }
    expect(data.map(({ model_name: name }) => name)).toEqual(['drawn', 'gpt-5'])
    const all = expect.arrayContaining(['openai', 'anthropic', 'gemini'])
    expect(data).toEqual([
      {
        ...{ model_name: 'drawn', quota_type: 1, model_price: 0.04, model_ratio: 0 },
        ...{ completion_ratio: 0, cache_ratio: 0, create_cache_ratio: 0, owner_by: 'Echo' },
        ...{ enable_groups: ['default'], supported_endpoint_types: all },
      },
      {
        ...{ model_name: 'gpt-5', vendor_id: 2, quota_type: 0, model_price: 0 },
        ...{ model_ratio: 0.625, completion_ratio: 8, cache_ratio: 0.1, create_cache_ratio: 1 },
        ...{ owner_by: 'Echo', enable_groups: ['default', 'vip'], supported_endpoint_types: all },
      },
    ])
    expect(beside).toMatchObject({
      success: true,
      vendors: expect.arrayContaining([{ id: 2, name: 'OpenAI', icon: '', description: '' }]),
      group_ratio: { default: 2, vip: 0.5 },
      usable_group: { default: 'All', vip: 'Few', auto: expect.any(String) },
      supported_endpoint: { openai: { path: '/v1/chat/completions', method: 'POST' } },
      auto_groups: ['vip', 'default'],
    })
  })

  test('shows a stranger what a new user would pay', async () => {
    const { owner, gateway, visitor } = await startManagement()
    gateway.parts.settings.update({ GroupRatio: { default: 2, hidden: 9 } })
    await owner.send('POST', '/api/channel', echoChannel({ models: 'gpt-5' }))
    await owner.send('POST', '/api/channel', echoChannel({ models: 'gpt-4o', group: 'hidden' }))
    const { status, body } = await visitor().get('/api/pricing')
    expect(status).toBe(200)
    expect(body.data).toMatchObject([{ model_name: 'gpt-5', enable_groups: ['default'] }])
  })
})

test('the ratios are told to everybody only where the owner allows it', async () => {
  const { visitor, gateway } = await startManagement()
  const refused = await visitor().get('/api/ratio_config')
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ success: false, code: 'forbidden' })
  gateway.parts.settings.update({
    ExposeRatioEnabled: true,
    ModelRatio: { mine: 3, 'gpt-5': 1 },
    ModelPrice: { drawn: 0.04 },
  })
  const { status, body } = await visitor().get('/api/ratio_config')
  expect(status).toBe(200)
  expect(Object.keys(body.data)).toEqual([
    'model_ratio',
    'completion_ratio',
    'cache_ratio',
    'create_cache_ratio',
    'model_price',
  ])
  expect(body.data.model_ratio).toMatchObject({ mine: 3, 'gpt-5': 1, 'gpt-5-mini': 0.125 })
  expect(body.data.completion_ratio).toMatchObject({ 'gpt-5-mini': 8 })
  expect(body.data.model_price).toEqual({ drawn: 0.04 })
  expect(body.data.model_ratio).not.toHaveProperty('whisper-1')
})
