import { describe, expect, test } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { verifyOwner } from '../management.ts'
import {
  badKey,
  broken,
  chat,
  completion,
  KEYS,
  type Staged,
  until,
  withVendor,
} from './vendor-by-key.ts'

/** A vendor, and channels that are left alone after two failures. */
async function withHealth(answers: Staged['answers'] = {}, options = {}): Promise<Staged> {
  const stage = await withVendor(answers, options)
  stage.gateway.parts.settings.update({
    ChannelFailureCount: 2,
    ChannelCooldownSeconds: 100,
    ChannelDisableFailures: 50,
    RetryTimes: 5,
  })
  return stage
}

async function healthOf({ owner }: Staged, id: number) {
  const { data } = (await owner.get('/api/channel/health')).body
  return data.find((one: { id: number }) => one.id === id)
}

/** Calls until a channel is left alone, whatever of it the failures are held against. */
async function cool(stage: Staged, id: number) {
  for (let time = 0; time < 3; time++) await chat(stage)
  const health = await healthOf(stage, id)
  expect([health.state, ...health.parts.map(({ state }: { state: string }) => state)]).toContain(
    'open',
  )
}

const fine = { state: 'closed', probing: false, until: null, reason: null, failures: 0, parts: [] }
const nothingKnown = { ...fine, success_rate: null, latency_ms: null, calls: 0 }

describe('the health of channels', () => {
  test('a key of one letter, as local servers take, garbles no reason', async () => {
    const stage = await withHealth({ o: broken })
    const id = stage.add({ key: 'o' })
    await cool(stage, id)
    expect((await healthOf(stage, id)).reason).toMatch(/Something broke/)
  })

  test('is told for each: until when it is left alone, why, and how it fared', async () => {
    const stage = await withHealth({ [KEYS[0]]: broken })
    const bad = stage.add({ priority: 1 })
    const good = stage.add({ key: KEYS[1] })
    const unused = stage.add({ key: 'sk-unused', priority: -1 })
    const begin = Date.now()
    for (let call = 0; call < 6; call++) expect(await chat(stage)).toBe(200)
    const health = await healthOf(stage, bad)
    expect(health).toMatchObject({ id: bad, state: 'open', failures: 2, calls: 2 })
    expect(health.reason).toMatch(/Something broke/)
    expect(health.until).toBeGreaterThan(begin + 79_000)
    expect(health.until).toBeLessThan(Date.now() + 101_000)
    // Two calls say too little.
    expect([health.success_rate, health.latency_ms, health.parts]).toEqual([null, null, []])
    const fared = await healthOf(stage, good)
    expect(fared).toMatchObject({ ...fine, success_rate: 1, calls: 6 })
    expect(fared.latency_ms).toBeGreaterThan(0)
    const more = { disable_failures: 0, retest_at: null }
    expect(await healthOf(stage, unused)).toEqual({ id: unused, ...nothingKnown, ...more })
  })

  test('of one that nobody listens at is told by code too, with its address, as is each attempt', async () => {
    const stage = await withHealth()
    const address = 'http://127.0.0.1:1'
    const id = stage.add({ baseUrl: address })
    await cool(stage, id)
    const why = {
      ...{ code: 'at_address', address },
      why: { code: 'upstream_failed', why: { code: 'network_refused' }, system: 'ECONNREFUSED' },
    }
    const { reason: said, why: coded } = await healthOf(stage, id)
    expect([said, coded]).toEqual([
      expect.stringContaining(`The upstream at ${address} failed`),
      why,
    ])
    const { rows } = (await stage.owner.get('/api/log/timeline')).body.data
    const { route } = JSON.parse(rows.at(-1).other).admin_info
    expect(route.attempts[0]).toMatchObject({ message: said, reason: why })
    await chat(stage)
    const last = (await stage.owner.get('/api/log/timeline')).body.data.rows[0]
    const { candidates } = JSON.parse(last.other).admin_info.route
    expect(candidates[0]).toMatchObject({ reason: said, coded: why })
  })

  test('of several keys is told by index, without the key, in the log as well', async () => {
    const lines: string[] = []
    const log = createLog('info')
    const write = (_facts: unknown, line?: string) =>
      void lines.push(`${JSON.stringify(_facts)} ${line}`)
    Object.assign(log, { warn: write, info: write })
    const stage = await withHealth({ [KEYS[1]]: badKey(KEYS[1]) }, { log })
    const id = stage.add({ key: `${KEYS[0]}\n${KEYS[1]}`, multiKeyMode: 'polling' })
    for (let call = 0; call < 5; call++) await chat(stage)
    const health = await healthOf(stage, id)
    expect(health).toMatchObject({ state: 'closed', probing: false, until: null, reason: null })
    expect(health.parts).toEqual([
      expect.objectContaining({ key: 1, state: 'open', until: expect.any(Number) }),
    ])
    expect(health.disable_failures).toBeGreaterThan(0)
    delete stage.answers[KEYS[1]]
    await stage.owner.send('POST', `/api/channel/${id}/health/reset`, {})
    const told = lines.filter((line) => /a channel is (no longer )?cooling down/.test(line))
    expect(told).toEqual([
      expect.stringMatching(/^\{"channel":1,"key":1,.*"seconds":\d+,"reason":".*cooling down/),
      expect.stringMatching(/^\{"channel":1,"key":1.*no longer cooling down$/),
    ])
    for (const text of [...lines, JSON.stringify(health)]) expect(text).not.toContain(KEYS[1])
  })

  test('is told to the consoles when it changes, and not with every call', async () => {
    const stage = await withHealth({ [KEYS[0]]: broken })
    const id = stage.add()
    // Longer than events are held back.
    const settled = () => new Promise((resolve) => setTimeout(resolve, 400))
    // The first call makes its token, of which they are told too.
    await chat(stage)
    await settled()
    let told = 0
    stage.gateway.parts.events.on('server', () => told++)
    await cool(stage, id)
    await until(() => told > 0)
    await settled()
    const before = told
    for (let call = 0; call < 3; call++) await chat(stage)
    await settled()
    expect(told).toBe(before)
  })

  test('that is reset is told to the other consoles, also where nothing was cooling down', async () => {
    const stage = await withHealth({ [KEYS[0]]: badKey(KEYS[0]) })
    stage.gateway.parts.settings.update({ ChannelFailureCount: 0 })
    const id = stage.add()
    await chat(stage)
    expect(await healthOf(stage, id)).toMatchObject({ state: 'closed', disable_failures: 1 })
    const { events } = stage.gateway.parts
    // Of what came before, the consoles may still have to hear.
    await new Promise<unknown>((resolve) => {
      events.on('server', resolve)
      events.emit('server')
    })
    let told = 0
    events.on('server', () => told++)
    await stage.owner.send('POST', `/api/channel/${id}/health/reset`, {})
    await until(() => told > 0)
    expect(await healthOf(stage, id)).toMatchObject({ disable_failures: 0 })
  })

  test('is reset by hand, so that the channel is asked again at once', async () => {
    const stage = await withHealth({ [KEYS[0]]: broken })
    const id = stage.add({ priority: 1 })
    stage.add({ key: KEYS[1] })
    await cool(stage, id)
    const before = stage.upstream.requests.length
    await chat(stage)
    expect(stage.upstream.requests).toHaveLength(before + 1)
    const { status, body } = await stage.owner.send('POST', `/api/channel/${id}/health/reset`, {})
    expect([status, body.data]).toEqual([200, undefined])
    expect(await healthOf(stage, id)).toMatchObject(nothingKnown)
    await chat(stage)
    expect(stage.upstream.requests).toHaveLength(before + 3)
    const unknown = await stage.owner.send('POST', '/api/channel/99/health/reset', {})
    expect(unknown.status).toBe(404)
  })

  test('a test that passes ends what was held against the channel', async () => {
    const stage = await withHealth({ [KEYS[0]]: broken })
    const id = stage.add()
    await cool(stage, id)
    stage.answers[KEYS[0]] = { body: completion }
    const { status } = await stage.owner.get(`/api/channel/test/${id}`)
    expect(status).toBe(200)
    expect(await healthOf(stage, id)).toMatchObject(fine)
  })
})

describe('what a person changes of a channel', () => {
  test.each([
    ['its key', { key: 'sk-another' }],
    ['its address', { base_url: 'http://127.0.0.1:9' }],
    ['its models', { models: 'gpt-a,gpt-b' }],
    ['what its models are called there', { model_mapping: '{"gpt-a":"gpt-b"}' }],
    ['its headers', { header_override: '{"x-a":"b"}' }],
  ])('with %s makes it asked again', async (_what, change) => {
    const stage = await withHealth({ [KEYS[0]]: broken })
    const id = stage.add()
    await cool(stage, id)
    await verifyOwner(stage.owner)
    const { status } = await stage.owner.send('PUT', '/api/channel/', { id, ...change })
    expect(status).toBe(200)
    expect(await healthOf(stage, id)).toMatchObject(nothingKnown)
  })

  test('with its name, or back to what it was, does not', async () => {
    const stage = await withHealth({ [KEYS[0]]: broken })
    const id = stage.add()
    await cool(stage, id)
    const before = await healthOf(stage, id)
    const read = (await stage.owner.get(`/api/channel/${id}`)).body.data
    const { used_quota, balance, ...record } = read
    for (const change of [{ name: 'Other', priority: 5, tag: 'blue' }, record]) {
      const { status, body } = await stage.owner.send('PUT', '/api/channel/', { ...change, id })
      expect(status, body.message).toBe(200)
    }
    const after = await healthOf(stage, id)
    // The clock of the day and the one of the process do not tick together.
    expect(Math.abs(after.until - before.until)).toBeLessThan(500)
    expect({ ...after, until: 0 }).toEqual({ ...before, until: 0 })
  })

  test('by enabling it again, one by one, in a batch or by tag, makes it asked again', async () => {
    const stage = await withHealth({ [KEYS[0]]: broken })
    const id = stage.add({ tag: 'blue' })
    const { send } = stage.owner
    const enable = [
      () => send('POST', `/api/channel/${id}/status`, { status: 1 }),
      () => send('POST', '/api/channel/status/batch', { ids: [id], status: 1 }),
      () => send('POST', '/api/channel/tag/enabled', { tag: 'blue' }),
    ]
    for (const act of enable) {
      await cool(stage, id)
      await send('POST', `/api/channel/${id}/status`, { status: 2 })
      expect((await healthOf(stage, id)).failures).toBeGreaterThan(0)
      expect((await act()).status).toBe(200)
      expect(await healthOf(stage, id)).toMatchObject(nothingKnown)
    }
  })

  test('with one key drops what is known of that key only', async () => {
    const answers = { [KEYS[0]]: badKey(KEYS[0]), [KEYS[1]]: badKey(KEYS[1]) }
    const stage = await withHealth(answers)
    const id = stage.add({ key: `sk-good\n${KEYS.join('\n')}`, multiKeyMode: 'polling' })
    const keys = async () =>
      (await healthOf(stage, id)).parts.map(({ key }: { key: number }) => key).sort()
    for (let call = 0; call < 9; call++) await chat(stage)
    expect(await keys()).toEqual([1, 2])
    const manage = (action: string) =>
      stage.owner.send('POST', '/api/channel/multi_key/manage', {
        ...{ channel_id: id, action, key_index: 1 },
      })
    await manage('disable_key')
    await manage('enable_key')
    expect(await keys()).toEqual([2])
    await manage('delete_key')
    // The one behind it has moved up.
    expect(await keys()).toEqual([1])
  })

  test('by deleting it leaves nothing behind', async () => {
    const stage = await withHealth({ [KEYS[0]]: broken })
    const ids = [stage.add(), stage.add()]
    for (let call = 0; call < 4; call++) await chat(stage)
    const { health } = stage.gateway.parts
    expect(ids.every((id) => health.circuits(id).length > 0)).toBe(true)
    await stage.owner.send('DELETE', `/api/channel/${ids[0]}`)
    await stage.owner.send('POST', '/api/channel/batch', { ids: [ids[1]] })
    await until(() => ids.every((id) => health.circuits(id).length === 0))
    expect((await stage.owner.get('/api/channel/health')).body.data).toEqual([])
  })
})
