import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startSessionStage } from '../sessions/session-stage.ts'
import { people, toolHome } from './tool-home.ts'

/** See coding-agents.test.ts: where the agents are installed. */
const folder = process.env.CODING_AGENTS_FOLDER ?? ''
const inFolder = (path: string) => join(folder, 'node_modules', path)
const ASKED = 'Say hi with echo'

const agents = [
  {
    tool: 'claude-code',
    command: [inFolder('@anthropic-ai/claude-code-linux-x64/claude'), '-p', ASKED],
    channel: { type: 14, models: ['claude-opus-5', 'claude-haiku-4-5'] },
    models: { main: 'claude-opus-5', small: 'claude-haiku-4-5' },
  },
  {
    tool: 'codex',
    command: [inFolder('.bin/codex'), 'exec', ASKED],
    channel: { type: 1, models: ['gpt-5'], settings: { endpoint_types: ['openai-response'] } },
    models: { main: 'gpt-5' },
  },
  {
    tool: 'gemini-cli',
    command: [inFolder('.bin/gemini'), '-p', ASKED],
    channel: { type: 24, models: ['gemini-2.5-flash'] },
    models: { main: 'gemini-2.5-flash' },
  },
  {
    tool: 'opencode',
    command: [inFolder('opencode-linux-x64/bin/opencode'), 'run', ASKED],
    channel: { type: 1, models: ['gpt-5'], settings: { endpoint_types: ['openai'] } },
    models: { main: 'gpt-5' },
  },
] as const

/** Runs a program with a home and a PATH, and nothing else in its environment. */
async function run(command: readonly string[], home: string, cwd: string): Promise<string> {
  const [program = '', ...rest] = command
  const child = spawn(program, rest, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home },
  })
  let printed = ''
  const note = (text: Buffer) => {
    printed += text
  }
  child.stdout?.on('data', note)
  child.stderr?.on('data', note)
  const timer = setTimeout(() => child.kill('SIGKILL'), 90_000)
  await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  return printed
}

describe.skipIf(folder === '')('a coding agent that was connected', () => {
  test.each(agents)(
    '$tool works with no variable and no flag, and has its files back after undo',
    { timeout: 120_000 },
    async ({ tool, command, channel, models }) => {
      const home = toolHome()
      mkdirSync(home.at('work'))
      await run(['git', 'init', '-q'], home.path, home.at('work'))
      const before = home.snapshot(Object.keys(people))
      const stage = await startSessionStage({ env: { HOME: home.path, PATH: process.env.PATH } })
      stage.addChannel({ ...channel, models: [...channel.models] } as never)
      const choice = { tool, token_id: null, models }
      const { body: shown } = await stage.owner.send('POST', '/api/connect/preview', choice)
      const { digest } = shown.data
      const { body } = await stage.owner.send('POST', '/api/connect/apply', { ...choice, digest })
      expect(body.data, body.message).toMatchObject({ status: 'here', last_call_at: null })

      const printed = await run(command, home.path, home.at('work'))

      expect(printed).toContain('Done: hi.')
      const { body: list } = await stage.owner.get('/api/connect/tools')
      const view = list.data.tools.find(({ id }: { id: string }) => id === tool)
      expect(view).toMatchObject({ status: 'here', last_call_at: expect.any(Number) })
      expect(view.token.name).toBe(view.name)
      const { body: undone } = await stage.owner.send('POST', '/api/connect/undo', { tool })
      const restored = undone.data.files.map((file: { restored: string }) => file.restored)
      expect([...new Set(restored)], undone.message).toEqual(['whole'])
      expect(home.snapshot(Object.keys(people))).toEqual(before)
    },
  )
})
