import { describe, expect, onTestFinished, test } from 'vitest'
import {
  applyOperations,
  type ParamOperation,
} from '../../../../main/relay/channel/override/param-operations.ts'
import { startTestGateway } from '../../../support/gateway/start-test-gateway.ts'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'

const facts = { model: 'real', original_model: 'asked', upstream_model: 'real' }

const body = {
  model: 'gpt-real',
  temperature: 1,
  stop: ['a', 'b'],
  metadata: { team: 'blue' },
  messages: [
    { role: 'system', content: ' Be brief. ' },
    { role: 'user', content: 'Call 555-1234 or 555-9876' },
  ],
}

const changed = (...operations: ParamOperation[]) =>
  applyOperations(structuredClone(body), operations, facts)

describe('an operation', () => {
  test.each<[ParamOperation, object]>([
    [{ mode: 'set', path: 'temperature', value: 0 }, { temperature: 0 }],
    [{ mode: 'set', path: 'temperature', value: 0, keep_origin: true }, { temperature: 1 }],
    [{ mode: 'set', path: 'top_p', value: 0.5, keep_origin: true }, { top_p: 0.5 }],
    [{ mode: 'set', path: 'extra.deep.down', value: [1] }, { extra: { deep: { down: [1] } } }],
    [{ mode: 'set', path: 'stop.-1', value: 'z' }, { stop: ['a', 'z'] }],
    [{ mode: 'set', path: 'stop.2', value: 'c' }, { stop: ['a', 'b', 'c'] }],
    [{ mode: 'set', path: 'stop.900000', value: 'c' }, { stop: ['a', 'b'] }],
    [{ mode: 'set', path: 'model.name', value: 'x' }, { model: 'gpt-real' }],
    [{ mode: 'set', path: 'a\\.b', value: 1 }, { 'a.b': 1 }],
    [{ mode: 'delete', path: 'stop.0' }, { stop: ['b'] }],
    [{ mode: 'delete', path: 'metadata.team' }, { metadata: {} }],
    [
      { mode: 'move', from: 'temperature', to: 'metadata.heat' },
      { metadata: { team: 'blue', heat: 1 } },
    ],
    [
      { mode: 'copy', from: 'temperature', to: 'heat' },
      { heat: 1, temperature: 1 },
    ],
    [{ mode: 'copy', from: 'nothing', to: 'heat' }, { temperature: 1 }],
    [{ mode: 'prepend', path: 'model', value: 'x/' }, { model: 'x/gpt-real' }],
    [{ mode: 'append', path: 'stop', value: ['c', 'd'] }, { stop: ['a', 'b', 'c', 'd'] }],
    [{ mode: 'prepend', path: 'stop', value: 'c' }, { stop: ['c', 'a', 'b'] }],
    [
      { mode: 'append', path: 'metadata', value: { team: 'red', size: 1 }, keep_origin: true },
      { metadata: { team: 'blue', size: 1 } },
    ],
    [{ mode: 'append', path: 'temperature', value: 'x' }, { temperature: 1 }],
    [{ mode: 'trim_prefix', path: 'model', value: 'gpt-' }, { model: 'real' }],
    [{ mode: 'trim_suffix', path: 'model', value: '-real' }, { model: 'gpt' }],
    [{ mode: 'ensure_prefix', path: 'model', value: 'gpt-' }, { model: 'gpt-real' }],
    [{ mode: 'ensure_suffix', path: 'model', value: ':free' }, { model: 'gpt-real:free' }],
    [{ mode: 'to_upper', path: 'model' }, { model: 'GPT-REAL' }],
    [{ mode: 'to_lower', path: 'temperature' }, { temperature: 1 }],
    [{ mode: 'replace', path: 'model', from: '-', to: '_' }, { model: 'gpt_real' }],
  ])('%j', (operation, wanted) => {
    expect(changed(operation)).toMatchObject(wanted)
  })

  test('removes what it removes, and reaches into messages', () => {
    expect(changed({ mode: 'delete', path: 'temperature' })).not.toHaveProperty('temperature')
    expect(changed({ mode: 'move', from: 'stop', to: 'stop_sequences' })).not.toHaveProperty('stop')
    // A value that cannot be written to its new place is not lost.
    for (const to of ['temperature.x', 'stop.9']) {
      expect(changed({ mode: 'move', from: 'metadata', to })).toEqual(body)
    }
    const { messages } = changed(
      { mode: 'trim_space', path: 'messages.0.content' },
      {
        mode: 'regex_replace',
        path: 'messages.-1.content',
        from: '(\\d{3})-\\d{4}',
        to: `\${1}-XXXX`,
      },
      { mode: 'regex_replace', path: 'messages.-1.content', from: '(?i)CALL', to: 'Ring' },
    )
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Ring 555-XXXX or 555-XXXX' },
    ])
  })

  test('never touches what is common to all objects', () => {
    for (const path of ['__proto__.polluted', 'constructor.prototype.polluted']) {
      applyOperations({}, [{ mode: 'set', path, value: 1 }], facts)
    }
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('conditions', () => {
  type Condition = NonNullable<ParamOperation['conditions']>[number]
  const isMet = (conditions: Condition[], logic?: 'OR' | 'AND') =>
    changed({ mode: 'set', path: 'met', value: true, conditions, logic }).met === true

  test.each<[Condition, boolean]>([
    [{ path: 'model', mode: 'full', value: 'gpt-real' }, true],
    [{ path: 'stop', mode: 'full', value: ['a', 'b'] }, true],
    [{ path: 'model', mode: 'prefix', value: 'gpt' }, true],
    [{ path: 'model', mode: 'suffix', value: 'gpt' }, false],
    [{ path: 'messages.1.content', mode: 'contains', value: '555' }, true],
    [{ path: 'temperature', mode: 'gt', value: 1 }, false],
    [{ path: 'temperature', mode: 'gte', value: 1 }, true],
    [{ path: 'temperature', mode: 'lt', value: 1.5 }, true],
    [{ path: 'model', mode: 'lt', value: 5 }, false],
    [{ path: 'model', mode: 'prefix', value: 'gpt', invert: true }, false],
    [{ path: 'nothing', mode: 'full', value: 1 }, false],
    [{ path: 'nothing', mode: 'full', value: 1, invert: true }, false],
    [{ path: 'nothing', mode: 'full', value: 1, pass_missing_key: true }, true],
    [{ path: 'original_model', mode: 'full', value: 'asked' }, true],
  ])('%j', (condition, expected) => {
    expect(isMet([condition])).toBe(expected)
  })

  test('one is enough, or all must hold', () => {
    const [yes, no] = [
      { path: 'model', mode: 'prefix', value: 'gpt' },
      { path: 'model', mode: 'prefix', value: 'claude' },
    ] as const
    expect([isMet([yes, no]), isMet([yes, no], 'OR')]).toEqual([true, true])
    expect([isMet([yes, no], 'AND'), isMet([yes, yes], 'AND')]).toEqual([false, true])
  })
})

test('a pattern that would take for ever is stopped, and so is a text that would have no end', () => {
  const slow: ParamOperation = { mode: 'regex_replace', path: 'text', from: '^(a+)+$', to: '' }
  const run = () => applyOperations({ text: `${'a'.repeat(40)}!` }, [slow], facts)
  expect(run).toThrow(/too long/)
  // The text is the caller's, the pattern the owner's.
  expect(run).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  expect(run).not.toThrow(/a\+/)
  const text = 'a'.repeat(5000)
  const to = 'b'.repeat(1000)
  const large: ParamOperation = { mode: 'replace', path: 'text', from: 'a', to }
  expect(() => applyOperations({ text }, [large], facts)).toThrow(/more than 4 MB/)
  const pattern: ParamOperation = { mode: 'regex_replace', path: 'text', from: 'a', to }
  expect(() => applyOperations({ text }, [pattern], facts)).toThrow(/too much/)
})

test('a call reaches its vendor as the channel’s override makes it, with every number as it was', async () => {
  const [gateway, upstream] = await Promise.all([startTestGateway(), startUpstream()])
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  gateway.addChannel({
    baseUrl: upstream.url,
    modelMapping: { 'model-a': 'real' },
    paramOverride: {
      temperature: 0,
      operations: [
        { mode: 'append', path: 'model', value: ':fast' },
        { mode: 'delete', path: 'user' },
        { mode: 'set', path: 'messages.0.name', value: 'ada' },
      ],
    },
  })
  upstream.script({ body: { choices: [] } })
  const sent = `{"model":"model-a","user":"u","seed":12345678901234567890,"messages":[{"role":"user","content":"Hi"}]}`
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: sent,
  })
  await response.text()
  expect(upstream.last().body.toString()).toBe(
    '{"model":"real:fast","seed":12345678901234567890,"messages":[{"role":"user","content":"Hi","name":"ada"}],"temperature":0}',
  )
})
