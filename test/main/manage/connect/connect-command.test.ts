import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { defaultFolder } from '../../../../main/options.ts'
import { projectFolder } from '../../../support/gateway/gateway-command.ts'
import { echoChannel, type Management, startManagement, verifyOwner } from '../management.ts'
import { connectTo, runConnect } from './connect-command.ts'
import { people, toolHome } from './tool-home.ts'

async function start(
  models = 'echo',
  home = toolHome(),
): Promise<Management & { home: ReturnType<typeof toolHome> }> {
  const stage = await startManagement({ env: { HOME: home.path, PATH: '' } })
  if (models !== '') await stage.owner.send('POST', '/api/channel', echoChannel({ models }))
  return { ...stage, home }
}

test('the list shows each tool, its state and where it points', async () => {
  const stage = await start()
  const run = connectTo({ gateway: stage.gateway })
  await run('codex --yes')
  const { code, stdout } = await run('--list')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^TOOL +STATE +POINTS TO\n/)
  expect(stdout).toMatch(new RegExp(`^codex +points here +${stage.gateway.url}/v1$`, 'm'))
  expect(stdout).toMatch(/^opencode +not connected +–$/m)
  expect(stdout).not.toContain('\u001b')
})

test('a tool is connected after its diff was shown and agreed to, and undone byte for byte', async () => {
  const stage = await start()
  const run = connectTo({ gateway: stage.gateway })
  const before = stage.home.snapshot()
  const declined = await run('claude-code', 'n\n')
  expect(declined).toMatchObject({ code: 0, stderr: '' })
  expect(declined.stdout).toContain(`+\t\t"ANTHROPIC_BASE_URL": "${stage.gateway.url}"`)
  expect(declined.stdout).toMatch(/Apply\? \[y\/N\] Nothing was written\.\n$/)
  expect(stage.home.snapshot()).toEqual(before)

  const { code, stdout, stderr } = await run('claude-code', 'y\n')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`Claude Code points to ${stage.gateway.url} now.`)
  expect(stdout).toContain(`Written: ${stage.home.at('.claude/settings.json')}`)
  const [token] = stage.gateway.parts.tokens.all()
  expect(stdout).not.toContain(token?.key)
  expect(stage.home.snapshot()).not.toEqual(before)

  const undone = await run('claude-code --undo')
  expect(undone.code).toBe(0)
  expect(undone.stdout).toContain('byte for byte')
  expect(stage.home.snapshot()).toEqual(before)
})

test('several tools are asked for one after the other, from one pipe', async () => {
  const four = [
    ...['dotfiles/claude.json', '.codex/config.toml', '.config/opencode/opencode.jsonc'],
    ...['.gemini/settings.json', '.gemini/.env'],
  ]
  const files = four.map((name) => [name, String(people[name])])
  const stage = await start('echo,echo-mini', toolHome(Object.fromEntries(files)))
  const run = connectTo({ gateway: stage.gateway })
  const before = stage.home.snapshot()
  const { code, stdout } = await run('--all --model echo --small echo-mini', 'y\nn\ny\ny\n')
  expect(code).toBe(0)
  expect(stdout.match(/points to .* now\./g)?.length).toBe(3)
  const [claude, codex] = (await stage.owner.get('/api/connect/tools')).body.data.tools
  expect(claude.chosen).toEqual({ main: 'echo', small: 'echo-mini' })
  expect(codex.status).toBe('elsewhere')
  const undone = await run('--all --undo')
  expect(undone.code).toBe(0)
  expect(stage.home.snapshot()).toEqual(before)
})

test('a token is chosen by its name or number, and the change only shown with --dry-run', async () => {
  const stage = await start()
  const run = connectTo({ gateway: stage.gateway })
  const before = stage.home.snapshot()
  await stage.owner.send('POST', '/api/token', {
    ...{ name: 'laptop', unlimited_quota: true, expired_time: -1 },
  })
  const shown = await run('codex --token laptop --dry-run')
  expect(shown.stdout).toContain('Token: "laptop"')
  expect(stage.home.snapshot()).toEqual(before)
  const { code, stdout } = await run('codex --token 1 --yes')
  expect([code, stdout]).toEqual([0, expect.stringContaining('Token: "laptop"')])
  expect(stage.gateway.parts.tokens.all()).toHaveLength(1)
  const unknown = await run('codex --token desk --yes')
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('1  laptop')])
})

test.each(['copilot-cli', 'cursor', 'roo-code', 'sdks'])(
  'the steps of %s are printed as sentences',
  async (tool) => {
    const stage = await start()
    const { code, stdout } = await connectTo({ gateway: stage.gateway })(tool)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^1\. [A-Z].{20,}\.?$/m)
    expect(stdout).not.toContain('[object')
  },
)

test('another model with the tool’s own token says that the token may use it too', async () => {
  const stage = await start('echo,echo-mini')
  const run = connectTo({ gateway: stage.gateway })
  await run('codex --model echo --yes')
  const { code, stdout } = await run('codex --model echo-mini --yes')
  expect(code).toBe(0)
  expect(stdout).toContain('The token "Codex" may use echo-mini too after that.')
})

test('a token that may not use the model is refused before anything is asked', async () => {
  const stage = await start('echo,echo-mini')
  const before = stage.home.snapshot()
  await stage.owner.send('POST', '/api/token', {
    ...{ name: 'laptop', unlimited_quota: true, expired_time: -1 },
    ...{ model_limits_enabled: true, model_limits: 'echo' },
  })
  const run = connectTo({ gateway: stage.gateway })
  const { code, stdout, stderr } = await run('codex --model echo-mini --token laptop')
  expect([code, stderr]).toEqual([1, expect.stringContaining('would be refused')])
  expect(stdout).not.toContain('Apply?')
  expect(stage.home.snapshot()).toEqual(before)
})

const mistakes: [string, string, RegExp, string?][] = [
  ['an unknown tool', 'codec', /There is no tool "codec"[\s\S]*\n {2}codex\n/],
  [
    'no model named',
    'codex',
    /Name a model for Codex with --model. These may fit:\n {2}echo\n {2}echo-mini/,
  ],
  ['no model there', 'codex', /No channel serves a model yet/, ''],
  [
    'a model that nobody serves',
    'codex --model gpt-9 --yes',
    /No channel serves the model "gpt-9"/,
  ],
  [
    'a slot that the tool has not',
    'codex --model echo --small echo --yes',
    /no place for a "small" model/,
  ],
  ['nobody to ask', 'codex --model echo', /Nobody answered, so nothing was written/],
  ['nothing to undo', 'codex --undo', /was not connected by this gateway/],
  ['flags that contradict each other', 'codex --undo --model echo', /don't go together/],
  ['an unknown flag', 'codex --modle echo', /Unknown option '--modle'[\s\S]*Usage: /],
  ['an empty flag', 'codex --model=', /--model is empty/],
]

test.each(mistakes)('%s: a sentence, code 1, and nothing is written', async (...mistake) => {
  const [, args, expected, models = 'echo,echo-mini'] = mistake
  const stage = await start(models)
  const before = stage.home.snapshot()
  const { code, stderr } = await connectTo({ gateway: stage.gateway })(args)
  expect([code, stderr]).toEqual([1, expect.stringMatching(expected)])
  expect(stderr).not.toMatch(/^ {4}at /m)
  expect(stage.home.snapshot()).toEqual(before)
})

test('without a gateway it says how to start one', async () => {
  const stage = await start()
  const { url } = stage.gateway
  await stage.gateway.close()
  const folder = stage.gateway.parts.dataFolder
  const { code, stderr } = await runConnect(['--list', '--url', url, '--data-dir', folder])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/No gateway answers.*npm start/)])
})

test('the access token opens a gateway whose data folder is not at hand, and a wrong one does not', async () => {
  const stage = await start()
  await verifyOwner(stage.owner)
  const token = (await stage.owner.send('POST', '/api/user/token')).body.data
  const run = (secret: string) =>
    runConnect(['--list', '--url', stage.gateway.url, '--data-dir', stage.home.path], {
      ...(secret && { SWITCHYARD_ACCESS_TOKEN: secret }),
    })
  expect((await run(token)).code).toBe(0)
  const wrong = await run('nonsense')
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('access token')])
  const none = await run('')
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('SWITCHYARD_ACCESS_TOKEN')])
})

test('the folder’s secret is sent to its own gateway and nowhere else', async () => {
  const stage = await start()
  const heard: (string | undefined)[] = []
  const other = createServer((request, response) => {
    heard.push(request.headers.authorization)
    response.end(JSON.stringify({ success: true, message: '', data: { tools: [] } }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { code } = await connectTo({ gateway: stage.gateway })(`--list --url ${url}`)
  expect(code).toBe(1)
  expect(heard).toEqual([undefined])
})

test.each([
  ['http://203.0.113.7:4747', /isn't this machine/],
  ['4747', /is no address/],
])('--url %s is refused before anything is sent', async (url, expected) => {
  const { code, stderr } = await runConnect(['--list', '--url', url])
  expect([code, stderr]).toEqual([1, expect.stringMatching(expected)])
})

test.each(['linux', 'darwin', 'win32'] as const)(
  'it looks where the gateway keeps its data on %s',
  async (platform) => {
    const script = pathToFileURL(join(projectFolder, '.scripts/connect/find-gateway.mjs')).href
    const { defaultFolder: scriptsFolder } = await import(script)
    for (const env of [{}, { XDG_CONFIG_HOME: '/x', APPDATA: 'C:\\Data' }]) {
      expect(scriptsFolder(env, platform)).toBe(defaultFolder(env, platform))
    }
  },
)
