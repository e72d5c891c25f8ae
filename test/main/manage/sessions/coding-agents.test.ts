import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type SessionStage, startSessionStage } from './session-stage.ts'

/**
 * A folder in which `npm install @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai` was run. They
 * are a gigabyte, and so no dependencies.
 */
const folder = process.env.CODING_AGENTS_FOLDER ?? ''
const inFolder = (path: string) => join(folder, 'node_modules', path)

const ASKED = 'Say hi with echo'

interface Agent {
  name: string
  /** Beginning of its sessions' ids. */
  prefix: string
  tool: string
  channel: Parameters<SessionStage['addChannel']>[0]
  /** Program and arguments. */
  command: string[]
  env(url: string, key: string): Record<string, string>
  /** Files of its home. */
  files(url: string, key: string): Record<string, string>
  /** Kinds of its calls, of each release that differs; a title is generated beside the first. */
  kinds: string[][]
}

const agents: Agent[] = [
  {
    name: 'Claude Code',
    prefix: 'claude-code:',
    tool: 'Bash',
    channel: { type: 14, models: ['claude-opus-5', 'claude-haiku-4-5'] },
    command: [
      inFolder('@anthropic-ai/claude-code-linux-x64/claude'),
      ...['-p', ASKED, '--model', 'claude-opus-5', '--allowedTools', 'Bash'],
    ],
    env: (url, key) => ({
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key },
      ...{ ANTHROPIC_SMALL_FAST_MODEL: 'claude-haiku-4-5', DISABLE_TELEMETRY: '1' },
    }),
    files: () => ({}),
    // Without a terminal 2.1.332 writes no title.
    kinds: [
      ['background', 'main', 'main'],
      ['main', 'main'],
    ],
  },
  {
    name: 'Codex',
    prefix: 'codex:',
    tool: 'exec_command',
    channel: { type: 1, models: ['gpt-5'], settings: { endpoint_types: ['openai-response'] } },
    command: [
      inFolder('.bin/codex'),
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', ASKED],
    ],
    env: (_url, key) => ({ SWITCHYARD_KEY: key }),
    files: (url) => ({
      '.codex/config.toml': `model = "gpt-5"
model_provider = "switchyard"
[model_providers.switchyard]
name = "switchyard"
base_url = "${url}/v1"
env_key = "SWITCHYARD_KEY"
wire_api = "responses"
`,
    }),
    kinds: [['main', 'main']],
  },
  {
    name: 'Gemini CLI',
    prefix: 'calls:',
    tool: 'run_shell_command',
    channel: { type: 24, models: ['gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-2.5-pro'] },
    command: [inFolder('.bin/gemini'), '-y', '-m', 'gemini-2.5-flash', '-p', ASKED],
    env: (url, key) => ({
      ...{ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      }),
    }),
    kinds: [['main', 'main']],
  },
  {
    name: 'OpenCode',
    prefix: 'opencode:',
    tool: 'bash',
    channel: { type: 1, models: ['gpt-5'], settings: { endpoint_types: ['openai'] } },
    command: [inFolder('opencode-linux-x64/bin/opencode'), 'run', ASKED],
    env: () => ({}),
    files: (url, key) => ({
      'work/opencode.json': JSON.stringify({
        provider: {
          switchyard: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { 'gpt-5': {} },
          },
        },
        model: 'switchyard/gpt-5',
      }),
    }),
    kinds: [['background', 'main', 'main']],
  },
]

/** Runs an agent in a home of its own; gives all that it printed. */
async function run(agent: Agent, { gateway, key }: SessionStage): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-agent-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const { url } = gateway
  const files = { 'work/README.md': 'Empty.\n', ...agent.files(url, key) }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const [program = '', ...rest] = agent.command
  const child = spawn(program, rest, {
    cwd: join(home, 'work'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, HOME: home, TERM: 'dumb', ...agent.env(url, key) },
      XDG_CONFIG_HOME: join(home, '.config'),
    },
  })
  let printed = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  child.stderr.on('data', (text) => {
    printed += text
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), 90_000)
  await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  return printed
}

describe.skipIf(folder === '')('a real coding agent', () => {
  test.each(agents)(
    '$name: its session has its turns, its tool call and its cost',
    { timeout: 120_000 },
    async (agent) => {
      const stage = await startSessionStage()
      stage.addChannel(agent.channel)
      const printed = await run(agent, stage)
      expect(printed).toContain('Done: hi.')
      // One that the client does not name is told a moment after its calls.
      await expect.poll(async () => (await stage.sessions()).length, { message: printed }).toBe(1)
      const [session] = await stage.sessions()
      expect(session).toMatchObject({ title: ASKED, errors: 0 })
      expect(session.id).toContain(agent.prefix)
      expect(session.quota).toBeGreaterThan(0)
      const { body } = await stage.owner.get(`/api/sessions/${encodeURIComponent(session.id)}`)
      const { calls } = body.data
      const kinds = calls.map(({ kind }: { kind: string }) => kind)
      expect(agent.kinds).toContainEqual(kinds.sort())
      const [asked, answered] = calls.filter(({ kind }: { kind: string }) => kind === 'main')
      expect(asked.output).toMatchObject([{ kind: 'tool-call', name: agent.tool }])
      const results = answered.input.filter(({ kind }: { kind: string }) => kind === 'tool-result')
      expect(results).toMatchObject([{ name: agent.tool, text: expect.stringContaining('hi') }])
      expect(answered.output).toMatchObject([{ kind: 'text', text: 'Done: hi.' }])
      const diagnosis = await stage.doctor(session.id)
      expect(diagnosis.findings).toHaveLength(1)
      expect(diagnosis.findings[0].equal_tokens).toBeGreaterThan(1000)
    },
  )
})
