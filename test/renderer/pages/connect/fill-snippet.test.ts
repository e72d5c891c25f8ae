import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { fillSnippet } from '../../../../renderer/pages/connect/by-hand/fill-snippet.ts'

const key = 'sk-1'

const names = ["a'; injected; '", 'a$(injected)', "it's \\'; injected #", 'a’b"c', '$& and $1']

test.each(names)('a shell runs nothing of a model named %s', (model) => {
  const text = fillSnippet("export A_KEY='<token>'\nexport A_MODEL='<model>'", 'bash', {
    key,
    model,
  })
  const script = `injected() { printf injected; }\n${text}\nprintf '%s' "$A_KEY $A_MODEL"`
  const said = execFileSync('/bin/sh', ['-c', script], { env: { PATH: '' }, encoding: 'utf8' })
  expect(said).toBe(`${key} ${model}`)
})

test('other shells get the name in their own quotes', () => {
  const model = `it's \\ ’so’`
  expect(fillSnippet("set -gx M '<model>'", 'fish', { key, model })).toBe(
    "set -gx M 'it\\'s \\\\ ’so’'",
  )
  expect(fillSnippet("$env:M = '<model>'", 'powershell', { key, model })).toBe(
    "$env:M = 'it''s \\ ’’so’’'",
  )
})

test('a name that would add a key to a file is left to be typed', () => {
  const text = '{"model": "openai/<model>", "key": "<token>"}'
  const model = 'a", "mcpServers": {"b": {"command": "injected"}}, "c": "'
  expect(JSON.parse(fillSnippet(text, 'file', { key, model }))).toEqual({
    model: 'openai/<model>',
    key,
  })
  expect(fillSnippet(text, 'file', { key, model: 'claude-opus-5[1m]' })).toContain(
    '"openai/claude-opus-5[1m]"',
  )
})
