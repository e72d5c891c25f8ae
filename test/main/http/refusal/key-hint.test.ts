import { describe, expect, test } from 'vitest'
import { foreignKeyHint, misplacedKeyHint } from '../../../../main/http/refusal/key-hint.ts'

describe('a key that is no token of this gateway', () => {
  test.each([
    ['sk-ant-oat01-abc', { code: 'key_of_claude_account' }],
    ['sk-ant-api03-abc', { code: 'key_of_vendor', vendor: 'Anthropic', shape: 'sk-ant-…' }],
    ['sk-or-v1-abc', { code: 'key_of_vendor', vendor: 'OpenRouter', shape: 'sk-or-…' }],
    ['sk-proj-abc', { code: 'key_of_vendor', vendor: 'OpenAI', shape: 'sk-proj-…' }],
    ['sk-svcacct-abc', { code: 'key_of_vendor', vendor: 'OpenAI', shape: 'sk-proj-…' }],
    ['AIzaSyAbc', { code: 'key_of_vendor', vendor: 'Google', shape: 'AIza…' }],
    ['eyJhbGciOi.e30.x', { code: 'key_of_account' }],
    ['ya29.abc', { code: 'key_of_account' }],
  ])('%s tells where it comes from', (key, reason) => {
    expect(foreignKeyHint({}, ['mistyped', key])?.reason).toEqual(reason)
  })

  test('that is sent by another scheme says so, and a mistyped one nothing', () => {
    const hintFor = (authorization: string) => foreignKeyHint({ authorization }, ['mistyped'])
    expect(hintFor('Token abc')?.reason).toEqual({ code: 'key_by_scheme', name: 'Token' })
    expect(hintFor('bearer abc')).toBeNull()
  })
})

describe('a key in a place where none is read', () => {
  const none = new URLSearchParams()
  test.each([
    [{ 'openai-api-key': 'x' }, none, { code: 'key_in_header', name: 'openai-api-key' }],
    [{ 'x-mine': 'Bearer sk-abc' }, none, { code: 'key_in_header', name: 'x-mine' }],
    [{}, new URLSearchParams('API_KEY=x'), { code: 'key_in_query', name: 'API_KEY' }],
  ])('%o %s', (headers, query, reason) => {
    expect(misplacedKeyHint(headers, query)?.reason).toEqual(reason)
  })

  test('is none where nothing looks like one', () => {
    const query = new URLSearchParams('model=x')
    expect(misplacedKeyHint({ 'user-agent': 'task-runner' }, query)).toBeNull()
  })
})
