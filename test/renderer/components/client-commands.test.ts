import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { clientTools } from '../../../renderer/components/connect/client-tools.ts'

const facts = { baseUrl: 'http://127.0.0.1:4747', key: 'sk-abc', shell: 'posix' } as const

const commandOf = (
  id: string,
  models: readonly string[],
  shell: 'posix' | 'powershell' = 'posix',
): string => clientTools.find((tool) => tool.id === id)?.command({ ...facts, shell, models }) ?? ''

/** What a shell starts of a command: its words, and the models that it has in its environment. */
function started(id: string, model: string): string[] {
  const names = ['claude', 'codex', 'gemini', 'curl', 'injected']
  const stubs = names.map((name) => `${name}() { printf '%s\\0' ${name} "$@" "$ANTHROPIC_MODEL"; }`)
  const script = [...stubs, commandOf(id, [model])].join('\n')
  return execFileSync('/bin/sh', ['-c', script], { env: { PATH: '' }, encoding: 'utf8' }).split(
    '\0',
  )
}

const names = [
  'a$(injected)',
  'a`injected`',
  'a"; injected; "',
  "a'; injected; '",
  'a;injected',
  'a b & injected',
]

test.each(names)('a vendor that calls its model %s has nothing run in a shell', (model) => {
  expect(started('claude-code', model)).toEqual(['claude', model, ''])
  expect(started('codex', model).slice(0, 3)).toEqual(['codex', '-m', model])
  expect(started('gemini-cli', model).slice(0, 3)).toEqual(['gemini', '--model', model])
  const words = started('curl', model)
  expect(words[0]).toBe('curl')
  expect(JSON.parse(words.at(-3) ?? '')).toMatchObject({ model })
})

test('PowerShell expands nothing in a name, and a typographic quote does not end it', () => {
  expect(commandOf('claude-code', ['a$(injected)"; `'], 'powershell')).toContain(
    "$env:ANTHROPIC_MODEL = 'a$(injected)\"; `'\n",
  )
  expect(commandOf('gemini-cli', ['a’; injected; ‘'], 'powershell')).toContain(
    "gemini --model 'a’’; injected; ‘‘'",
  )
  expect(commandOf('codex', ['a,b'], 'powershell')).toContain("codex -m 'a,b' ")
})

test('a name that a program would take for an option is left out', () => {
  expect(commandOf('gemini-cli', ['--yolo=gemini', 'gemini-3'])).toContain(
    'gemini --model gemini-3',
  )
})

test('usual names are as in the documents', () => {
  const command = commandOf('claude-code', ['anthropic/claude-opus-5:free'])
  expect(command).toContain('export ANTHROPIC_MODEL="anthropic/claude-opus-5:free"')
  expect(commandOf('gemini-cli', ['gemini-3-pro'], 'powershell')).toContain(
    'gemini --model gemini-3-pro',
  )
})
