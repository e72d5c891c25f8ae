import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { launchBrowser } from '../../../support/pages/browser.ts'
import { watchedPage } from '../../../support/pages/watched-page.ts'
import { OWNER } from '../management.ts'
import { startSessionStage } from '../sessions/session-stage.ts'
import { connectTo } from './connect-command.ts'
import { people, toolHome } from './tool-home.ts'

/**
 * See coding-agents.test.ts: where the agents are installed. Also looked for in it: @qwen-code/qwen-code,
 * @kilocode/cli, cline, @continuedev/cli and @github/copilot of npm; aider-chat and llm of PyPI, where the folder is a
 * virtual environment of Python too.
 */
const folder = process.env.CODING_AGENTS_FOLDER ?? ''
const inFolder = (path: string) => join(folder, 'node_modules', path)
const inPython = (name: string) => join(folder, 'bin', name)
const ASKED = 'Say hi with echo'
const openai = { type: 1, models: ['gpt-5'], settings: { endpoint_types: ['openai'] } }

interface Agent {
  tool: string
  command: readonly string[]
  channel: { type: number; models: readonly string[]; settings?: object }
  models: Readonly<Record<string, string>>
  /** Its files before, where those that people have would need another step by hand. */
  files?: Record<string, string>
  /** It writes its file anew while it runs, with its own layout and mode. */
  isRewritten?: true
}

const agents: readonly Agent[] = [
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
    channel: openai,
    models: { main: 'gpt-5' },
  },
  {
    tool: 'qwen-code',
    command: [inFolder('.bin/qwen'), '-p', ASKED],
    channel: openai,
    models: { main: 'gpt-5' },
  },
  {
    tool: 'kilo',
    command: [inFolder('@kilocode/cli-linux-x64/bin/kilo'), 'run', ASKED],
    channel: openai,
    models: { main: 'gpt-5' },
  },
  {
    tool: 'cline',
    command: [inFolder('@cline/cli-linux-x64/bin/cline'), ASKED],
    channel: openai,
    models: { main: 'gpt-5' },
    isRewritten: true,
  },
  {
    tool: 'continue',
    command: [inFolder('.bin/cn'), '-p', ASKED],
    channel: openai,
    models: { main: 'gpt-5' },
    // It takes the first model of the list until another is chosen.
    files: { '.continue/config.yaml': '# mine\nname: Mine\nversion: 0.0.1\nschema: v1 # old\n' },
  },
  {
    tool: 'llm',
    command: [inPython('llm'), '-m', 'switchyard', ASKED],
    channel: openai,
    models: { main: 'gpt-5' },
  },
  {
    tool: 'aider',
    command: [inPython('aider'), '--no-git', '--message', ASKED],
    channel: openai,
    models: { main: 'gpt-5' },
  },
]

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

/** The four that the README of these tests installs. */
const needed = ['claude-code', 'codex', 'gemini-cli', 'opencode']

const isThere = ({ command }: Agent) => existsSync(command[0] ?? '')

/** A home with people's own files, a folder to work in, and a gateway before a vendor. */
async function stageOf({ channel, files: own = people }: Agent) {
  const home = toolHome(own)
  mkdirSync(home.at('work'))
  await run(['git', 'init', '-q'], home.path, home.at('work'))
  const stage = await startSessionStage({
    env: { HOME: home.path, PATH: process.env.PATH },
    rendererFolder: join(import.meta.dirname, '../../../../dist/renderer'),
  })
  stage.addChannel({ ...channel, models: [...channel.models] } as never)
  const files = () => home.snapshot(Object.keys(own))
  const view = async (tool: string) => {
    const { body } = await stage.owner.get('/api/connect/tools')
    return body.data.tools.find(({ id }: { id: string }) => id === tool)
  }
  return { ...stage, home, files, view }
}

/** The agent calls a tool of its own, `echo hi`, and says what came of it. */
async function expectWork({ command }: Agent, stage: Awaited<ReturnType<typeof stageOf>>) {
  const printed = await run(command, stage.home.path, stage.home.at('work'))
  expect(printed).toContain('Done: hi.')
}

/** The texts, without layout, mode and time where the agent writes its file anew. */
const plain = (snapshot: Record<string, string>, { isRewritten }: Agent) =>
  Object.values(snapshot).map((text) => (isRewritten ? text.replace(/^\d+|\s+/g, '') : text))

/** The Connect page in a browser where the owner is signed in. */
async function openConnect({ gateway: { url } }: { gateway: { url: string } }) {
  const watched = await watchedPage(await launchBrowser())
  const answer = await watched.context.request.post(`${url}/api/user/login`, { data: OWNER })
  expect(answer.ok(), await answer.text()).toBe(true)
  await watched.page.goto(`${url}/console/connect`)
  return watched
}

describe.skipIf(folder === '')('a coding agent that was connected', () => {
  test('the four agents of these tests are installed', () => {
    const there = agents.filter(isThere).map(({ tool }) => tool)
    expect(there).toEqual(expect.arrayContaining(needed))
  })

  test.each(agents.filter(isThere))(
    '$tool by clicks: its first call turns green, and Undo gives its files back byte for byte',
    { timeout: 150_000 },
    async (agent) => {
      const stage = await stageOf(agent)
      const before = stage.files()
      const { name } = await stage.view(agent.tool)
      const { page, context, problems } = await openConnect(stage)
      await page.getByRole('button', { name: `Connect ${name}…` }).click()
      const drawer = page.getByRole('dialog', { name: `Connect ${name}` })
      await drawer.locator('ins').first().waitFor()
      for (const [slot, model] of Object.entries(agent.models)) {
        const label = slot === 'main' ? 'Main model' : 'Small model'
        await drawer.getByRole('combobox', { name: label }).click()
        await page.getByRole('option', { name: model }).first().click()
      }
      await drawer.getByRole('button', { name: 'Apply' }).click()
      await drawer.getByText('Waiting for its first call…').waitFor()

      await expectWork(agent, stage)
      await drawer.getByText(/^First call at/).waitFor()
      expect((await stage.view(agent.tool)).chosen).toMatchObject(agent.models)
      await drawer.getByRole('button', { name: `Undo ${name}` }).click()
      await page
        .getByText(/^Its token “.*” was deleted\.$/)
        .first()
        .waitFor()
      expect(plain(stage.files(), agent)).toEqual(plain(before, agent))
      expect(problems).toEqual([])
      await context.close()
    },
  )

  test.each(agents.filter(isThere))(
    '$tool works with no variable and no flag, and has its files back after undo',
    { timeout: 120_000 },
    async (agent) => {
      const { tool, models, isRewritten } = agent
      const stage = await stageOf(agent)
      const before = stage.files()
      const choice = { tool, token_id: null, models }
      const { body: shown } = await stage.owner.send('POST', '/api/connect/preview', choice)
      const { digest } = shown.data
      const { body } = await stage.owner.send('POST', '/api/connect/apply', { ...choice, digest })
      expect(body.data, body.message).toMatchObject({ status: 'here', last_call_at: null })

      await expectWork(agent, stage)
      const view = await stage.view(tool)
      expect(view).toMatchObject({ status: 'here', last_call_at: expect.any(Number) })
      expect(view.token.name).toBe(view.name)
      const { body: undone } = await stage.owner.send('POST', '/api/connect/undo', { tool })
      const restored = undone.data.files.map((file: { restored: string }) => file.restored)
      expect([...new Set(restored)], undone.message).toEqual([isRewritten ? 'keys' : 'whole'])
      expect(undone.data.token).toMatchObject({ name: view.name, kept: null })
      expect(plain(stage.files(), agent)).toEqual(plain(before, agent))
    },
  )

  test.each(agents.filter((agent) => isThere(agent) && !agent.isRewritten))(
    '$tool does the same by npm run connect',
    { timeout: 120_000 },
    async (agent) => {
      const { tool, models } = agent
      const stage = await stageOf(agent)
      const connect = connectTo({ gateway: stage.gateway })
      const before = stage.files()
      const small = 'small' in models ? ` --small ${models.small}` : ''
      const connected = await connect(`${tool} --model ${models.main}${small}`, 'y\n')
      expect(connected, connected.stderr).toMatchObject({ code: 0, stderr: '' })

      await expectWork(agent, stage)
      expect((await stage.view(tool)).last_call_at).toEqual(expect.any(Number))
      const undone = await connect(`${tool} --undo`)
      expect(undone.stdout, undone.stderr).toContain('byte for byte')
      expect(undone.stdout).toMatch(/Its token ".*": removed/)
      expect(stage.files()).toEqual(before)
    },
  )

  const copilot = inFolder('.bin/copilot')
  test.skipIf(!existsSync(copilot))(
    'Copilot CLI works with the lines of the Connect page, and its calls bear its name',
    { timeout: 120_000 },
    async () => {
      const stage = await stageOf({
        ...{ tool: 'copilot-cli', command: [copilot], models: {} },
        channel: { type: 1, models: ['gpt-5'], settings: { endpoint_types: ['openai-response'] } },
      })
      const { snippets } = await stage.view('copilot-cli')
      const lines = snippets.find(({ shell }: { shell: string }) => shell === 'bash').text
      const filled = lines.replace('<token>', stage.key).replace('<model>', 'gpt-5')
      const call = `${filled}\n${copilot} -p '${ASKED}' --allow-all-tools`
      const printed = await run(['bash', '-c', call], stage.home.path, stage.home.at('work'))
      expect(printed).toContain('Done: hi.')
      const { items } = stage.gateway.parts.ledger.list({}, { page: 1, pageSize: 100 })
      const clients = items.map(({ other }) => JSON.parse(other).client)
      expect([...new Set(clients)]).toEqual(['copilot-cli'])
    },
  )

  test('Claude Code works with another vendor’s model, under the name that its picker lists', {
    timeout: 120_000,
  }, async () => {
    const claude = agents.find(({ tool }) => tool === 'claude-code') as Agent
    const stage = await stageOf({ ...claude, channel: openai })
    const connect = connectTo({ gateway: stage.gateway })
    expect(await connect('claude-code --model gpt-5', 'y\n')).toMatchObject({ code: 0, stderr: '' })
    await expectWork(claude, stage)
    const cached = stage.home.at('.claude/cache/gateway-models.json')
    await expect.poll(() => existsSync(cached)).toBe(true)
    const { models } = JSON.parse(readFileSync(cached, 'utf8'))
    expect(models).toEqual([{ id: 'claude-via-gpt-5', display_name: 'gpt-5' }])
    const { items } = stage.gateway.parts.ledger.list({}, { page: 1, pageSize: 100 })
    expect([...new Set(items.map(({ model }) => model))]).toEqual(['gpt-5'])
  })
})
