import { describe, expect, test } from 'vitest'
import { refusal, type Stage, speaking, startStage } from './routing-stage.ts'

const ON = { SessionAffinityEnabled: true }
const threeKeys = { key: 'key-of-k0\nkey-of-k1\nkey-of-k2', multiKeyMode: 'random' as const }

/** Channels among which chance decides. */
function addMany(stage: Stage, count = 6): void {
  for (let index = 0; index < count; index++) stage.add(`c${index}`)
}

const times = async (count: number, run: () => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index++) await run()
}

describe('a conversation goes on where it was', () => {
  const sayings: [string, Parameters<Stage['call']>][] = [
    ['Codex', ['responses', { headers: { 'session-id': 's1' } }]],
    ['Claude Code', ['messages', { headers: { 'x-claude-code-session-id': 's1' } }]],
    ['others', ['chat', { headers: { 'x-session-id': 's1' } }]],
    ['the key of a prompt’s cache', ['chat', { more: { prompt_cache_key: 'p1' } }]],
    ['who asks Anthropic', ['messages', { more: { metadata: { user_id: 'u1' } } }]],
    ['a conversation of OpenAI’s', ['responses', { more: { conversation: { id: 'conv_1' } } }]],
  ]
  test.each(sayings)('as %s say', async (_, [format, options]) => {
    const stage = await startStage(ON)
    for (let index = 0; index < 6; index++) stage.add(`c${index}`, speaking(format ?? 'chat'))
    const first = await stage.call(format, options)
    expect(stage.routeOf(first).affinity).toBe('new')
    await times(12, async () => {
      const next = await stage.call(format, options)
      expect(stage.routeOf(next)).toMatchObject({
        affinity: 'kept',
        candidates: expect.arrayContaining([
          expect.objectContaining({ name: stage.asked[0], why: 'affinity', place: 1 }),
        ]),
      })
    })
    expect(new Set(stage.asked).size).toBe(1)
  })

  test('with the same key, of several', async () => {
    const stage = await startStage(ON)
    stage.add('many', threeKeys)
    await times(12, () => stage.call('chat', { headers: { 'x-session-id': 's1' } }))
    expect(new Set(stage.asked).size).toBe(1)
    await times(30, () => stage.call())
    expect(new Set(stage.asked).size).toBe(3)
  })

  test('and another where chance will', async () => {
    const stage = await startStage(ON)
    addMany(stage)
    let sessions = 0
    await times(30, () => stage.call('chat', { headers: { 'x-session-id': `s${++sessions}` } }))
    expect(new Set(stage.asked).size).toBeGreaterThan(2)
  })
})

test.each([false, true])(
  'what goes on from an answer goes to who gave it (stream: %s)',
  async (stream) => {
    const stage = await startStage(ON)
    for (let index = 0; index < 8; index++) stage.add(`c${index}`, speaking('responses'))
    await stage.call('responses', { stream })
    const more = { previous_response_id: 'resp_1' }
    await times(10, () => stage.call('responses', { stream, more }))
    expect(new Set(stage.asked).size).toBe(1)
  },
)

test('it yields to a failure, and stays with who answered then', async () => {
  const stage = await startStage(ON)
  const headers = { 'x-session-id': 's1' }
  stage.add('first', { priority: 1 })
  stage.add('second')
  await stage.call('chat', { headers })
  stage.script('first', refusal(500, 'Broken.'))
  const left = await stage.call('chat', { headers })
  expect(stage.routeOf(left).affinity).toBe('left')
  await times(3, () => stage.call('chat', { headers }))
  expect(stage.asked).toEqual(['first', 'first', 'second', 'second', 'second', 'second'])
  // Who has no conversation goes by the order of priorities.
  await stage.call()
  expect(stage.asked.at(-1)).toBe('first')
})

test('it leaves a channel that cools down, is disabled, or serves the model no more', async () => {
  const stage = await startStage({ ...ON, ChannelFailureCount: 1, ChannelCooldownSeconds: 600 })
  const headers = { 'x-session-id': 's1' }
  const first = stage.add('first', { priority: 1 })
  stage.add('second')
  await stage.call('chat', { headers })
  // Another conversation finds it broken.
  stage.script('first', refusal(500, 'Broken.'))
  await stage.call()
  await stage.call('chat', { headers })
  expect(stage.asked.at(-1)).toBe('second')
  stage.pair.gateway.parts.channels.update(first.id, { status: 2 })
  await stage.call('chat', { headers })
  expect(stage.asked.at(-1)).toBe('second')
})

test('conversations of other tokens and models are others', async () => {
  const stage = await startStage(ON)
  const models = ['model-a', 'model-b']
  for (let index = 0; index < 12; index++) stage.add(`c${index}`, { models })
  const other = stage.pair.gateway.addToken().full
  const said = { 'x-session-id': 's1' }
  const first = await stage.call('chat', { headers: said })
  const second = await stage.call('chat', {
    headers: { ...said, authorization: `Bearer ${other}` },
  })
  const third = await stage.call('chat', { headers: said, model: 'model-b' })
  for (const one of [first, second, third]) expect(stage.routeOf(one).affinity).toBe('new')
})

test('it is off unless its owner wants it', async () => {
  const stage = await startStage()
  addMany(stage)
  await times(30, () => stage.call('chat', { headers: { 'x-session-id': 's1' } }))
  expect(new Set(stage.asked).size).toBeGreaterThan(2)
})
