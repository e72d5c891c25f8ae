import { expect, test } from 'vitest'
import { snippets } from '../../../main/connect/snippets.ts'
import { tools } from '../../../main/connect/tools.ts'

/** What a vendor may call its model; a channel takes each of these names. */
const model = `it's; injected; ’; injected; ‘ $(injected) \\`

test('a vendor’s name for a model runs nothing in a shell that a variable is pasted into', () => {
  const tool = tools.find(({ id }) => id === 'claude-code')
  if (!tool) throw new Error('no Claude Code')
  const connection = {
    ...{ address: 'http://127.0.0.1:4747', token: 'sk-1', models: { main: model } },
    facts: () => ({ context: null, output: null, images: null }),
  }
  const machine = { platform: 'linux', home: '/nowhere', env: {}, exists: () => false } as const
  const lineOf = (shell: string) =>
    snippets(tool, connection, machine)
      .find((one) => one.shell === shell)
      ?.text.split('\n')
      .find((line) => line.includes('ANTHROPIC_MODEL'))
  expect(lineOf('bash')).toBe(
    `export ANTHROPIC_MODEL='it'\\''s; injected; ’; injected; ‘ $(injected) \\'`,
  )
  expect(lineOf('fish')).toBe(
    `set -gx ANTHROPIC_MODEL 'it\\'s; injected; ’; injected; ‘ $(injected) \\\\'`,
  )
  expect(lineOf('powershell')).toBe(
    `$env:ANTHROPIC_MODEL = 'it''s; injected; ’’; injected; ‘‘ $(injected) \\'`,
  )
})
