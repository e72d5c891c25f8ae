import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../main/base/errors.ts'
import { Loss } from '../../../main/convert/loss.ts'

describe('what a conversion could not carry', () => {
  test('is named as the client spells it', () => {
    const loss = new Loss({ topK: 'generationConfig.topK' })
    loss.drop(loss.field('topK'), 'upstream_without_field')
    loss.drop(loss.field('seed'), 'upstream_without_field')
    loss.approximate('messages[2]', 'as_text')
    expect(loss.header()).toBe(
      'dropped generationConfig.topK; dropped seed; approximated messages[2]',
    )
  })

  test('is told once, however often it is met', () => {
    const loss = new Loss()
    for (let index = 0; index < 3; index++) loss.drop('seed', { code: 'at_most_here', most: index })
    loss.approximate('seed', 'seed_cut')
    expect(loss.entries).toEqual([
      {
        ...{ path: 'seed', kind: 'dropped', note: 'at most 0 here' },
        reason: { code: 'at_most_here', most: 0 },
      },
      {
        ...{ path: 'seed', kind: 'approximated', note: 'is cut to 31 bits' },
        reason: { code: 'seed_cut' },
      },
    ])
  })

  test('stays small when everything is lost: entries, notes and the header', () => {
    const loss = new Loss()
    for (let index = 0; index < 5000; index++) {
      loss.drop(`messages[${index}]`, { code: 'known_as', name: 'x'.repeat(1000) })
    }
    expect(loss.entries).toHaveLength(200)
    expect(loss.entries.every(({ note }) => note.length <= 160)).toBe(true)
    expect(loss.entries.some(({ reason }) => reason)).toBe(false)
    const header = loss.header()
    expect(header.length).toBeLessThanOrEqual(2000)
    const named = header.split('; ').length - 1
    expect(header).toMatch(new RegExp(`; ${5000 - named} more$`))
  })

  test('makes a header of printable ASCII, whatever a client names its fields', () => {
    const loss = new Loss()
    loss.drop('tools[0].größe\r\nx-evil: 1', 'no_equal')
    loss.drop('a; dropped b, c', 'no_equal')
    const header = loss.header()
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    expect(header.split('; ')).toHaveLength(2)
  })

  test('is told in full by code where the English note is cut', () => {
    const loss = new Loss()
    const changes = Array.from({ length: 40 }, (_, index) => `keyword${index}`)
    loss.approximate('tools[0]', { code: 'schema_told', changes })
    expect(loss.entries[0]?.note).toMatch(/^its schema is only told, .*\.\.\.$/)
    expect(loss.entries[0]?.reason).toEqual({ code: 'schema_told', changes })
  })

  test('is an empty header when nothing was', () => {
    expect(new Loss().header()).toBe('')
  })
})

describe('fields that only one format knows', () => {
  const native = { origin: 'messages' as const, fields: { container: 'c_1', speed: 'fast' } }

  test('go back to their own format without a word', () => {
    const loss = new Loss()
    expect(loss.native(native, 'messages')).toEqual(native.fields)
    expect(loss.entries).toEqual([])
  })

  test('are told one by one when they go to another', () => {
    const loss = new Loss()
    expect(loss.native(native, 'chat', 'messages[1]')).toEqual({})
    expect(loss.native(native, 'chat')).toEqual({})
    expect(loss.entries.map(({ path }) => path)).toEqual([
      'messages[1].container',
      'messages[1].speed',
      'container',
      'speed',
    ])
  })

  test('are told once where Codex sets them on every item', () => {
    const loss = new Loss()
    const fields = { internal_chat_message_metadata_passthrough: { turn_id: 't' } }
    for (const at of ['input[0]', 'input[1]'])
      loss.native({ origin: 'responses', fields }, 'chat', at)
    expect(loss.entries.map(({ path }) => path)).toEqual([
      'internal_chat_message_metadata_passthrough',
    ])
  })

  test('need not be there', () => {
    expect(new Loss().native(undefined, 'chat')).toEqual({})
  })
})

test('what cannot go on is refused with its path', () => {
  const refusal = (() => {
    try {
      return new Loss().refuse('messages[0].content[1]', 'no_video')
    } catch (error) {
      return error
    }
  })()
  expect(refusal).toBeInstanceOf(GatewayError)
  expect(refusal).toMatchObject({
    code: 'invalid_request',
    field: 'messages[0].content[1]',
    message: 'messages[0].content[1]: this upstream takes no video.',
  })
})
