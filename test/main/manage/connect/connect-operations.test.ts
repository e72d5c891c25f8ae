import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../support/every-case.ts'
import { echoChannel } from '../management.ts'
import { choiceOf, connect, preview, stageAt, undo } from './connect-stage.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

const tools = [
  ...['claude-code', 'codex', 'gemini-cli', 'opencode', 'qwen-code', 'crush', 'goose', 'aider'],
  ...['vscode', 'zed', 'cline', 'kilo', 'continue', 'llm'],
]
const byHand = ['copilot-cli', 'cursor', 'roo-code', 'sdks']

const broken = {
  json: { text: '{\n  "a": ,\n}', place: 'line 2, column 8' },
  toml: { text: 'a = 1\nb = = 2\n', place: 'line 2, column 5' },
  yaml: { text: 'a: 1\nb: "x\n', place: 'line 3, column 1' },
}
const brokenAs = (path: string) =>
  path.endsWith('.toml') ? broken.toml : /\.ya?ml$/.test(path) ? broken.yaml : broken.json

describe.each(tools)('%s', (tool) => {
  test('is connected and disconnected without a trace, links and modes included', async () => {
    const home = toolHome()
    const stage = await stageAt(home)
    const before = home.snapshot()
    const { status, body } = await connect(stage, tool)
    expect(status, body.message).toBe(200)
    expect(body.data).toMatchObject({ status: 'here', can_undo: true, chosen: { main: 'echo' } })
    expect(home.snapshot()).not.toEqual(before)
    const first = await undo(stage, tool)
    expect(first.body.success, first.body.message).toBe(true)
    expect(home.snapshot()).toEqual(before)
  })

  test('where it has no files yet, those that were made are removed', async () => {
    const home = toolHome({ 'other.txt': 'x' })
    const stage = await stageAt(home)
    const before = home.snapshot()
    await connect(stage, tool)
    const { body } = await undo(stage, tool)
    expect(body.data.files[0].restored).toBe('removed')
    expect(home.snapshot()).toEqual(before)
  })

  test('connected twice, it still goes back to what was there first', async () => {
    const home = toolHome()
    const stage = await stageAt(home)
    const before = home.snapshot()
    await connect(stage, tool)
    await connect(stage, tool, 'echo-mini')
    await undo(stage, tool)
    expect(home.snapshot()).toEqual(before)
  })

  test('whatever was added to its files since stays, and only our keys go', async () => {
    const home = toolHome()
    const stage = await stageAt(home)
    const { body } = await connect(stage, tool)
    for (const { path } of body.data.files) {
      const text = readFileSync(path, 'utf8')
      const isJson = /jsonc?$/.test(path)
      writeFileSync(path, isJson ? text.replace('{', '{\n  "added": true,') : `${text}\n# added\n`)
    }
    const { body: undone } = await undo(stage, tool)
    expect(undone.data.files.every((file: { restored: string }) => file.restored === 'keys')).toBe(
      true,
    )
    for (const { path } of body.data.files) {
      const text = readFileSync(path, 'utf8')
      expect(text).toContain('added')
      expect(text).not.toMatch(/127\.0\.0\.1|switchyard|sk-/i)
    }
    const { body: list } = await stage.owner.get('/api/connect/tools')
    const view = list.data.tools.find(({ id }: { id: string }) => id === tool)
    expect(view).toMatchObject({ status: 'elsewhere', can_undo: false })
  })

  test('each of its files is told with line and column where it is broken, and not touched', async () => {
    const home = toolHome()
    const stage = await stageAt(home)
    const viewed = async () => {
      const { body } = await stage.owner.get('/api/connect/tools')
      return body.data.tools.find(({ id }: { id: string }) => id === tool)
    }
    const { files } = await viewed()
    const paths: string[] = files
      .filter((file: { exists: boolean; path: string }) => file.exists && !/\.env$/.test(file.path))
      .map(({ path }: { path: string }) => path)
    expect(paths.length).toBeGreaterThan(0)
    for (const path of paths) {
      const whole = readFileSync(path)
      const { text, place } = brokenAs(path)
      writeFileSync(path, text)
      expect(await viewed()).toMatchObject({
        status: 'broken',
        problem: expect.stringContaining(place),
      })
      const { body } = await stage.owner.send('POST', '/api/connect/preview', choiceOf(tool))
      expect(body.message).toContain(place)
      expect(readFileSync(path, 'utf8')).toBe(text)
      writeFileSync(path, whole)
    }
  })
})

test('a preview shows no secret, and writes nothing', async () => {
  const secret = 'sk-ant-0123456789abcdef0123456789'
  const home = toolHome({ '.claude/settings.json': `{ "env": { "OTHER_API_KEY": "${secret}" } }` })
  const stage = await stageAt(home)
  const before = home.snapshot()
  const data = await preview(stage, 'claude-code')
  expect(JSON.stringify(data)).not.toContain(secret)
  expect(data.files[0].diff).toContain('ANTHROPIC_BASE_URL')
  const aliases = { 'claude-via-echo': 'echo' }
  expect(data.token).toEqual({ id: null, name: 'Claude Code', aliases, adds: [], refuses: [] })
  expect(home.snapshot()).toEqual(before)
})

test('a file that changed after the preview is not written', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const { digest } = await preview(stage, 'codex')
  writeFileSync(home.at('.codex/config.toml'), 'model = "other"\n')
  const choice = { ...choiceOf('codex'), digest }
  const { status, body } = await stage.owner.send('POST', '/api/connect/apply', choice)
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect(readFileSync(home.at('.codex/config.toml'), 'utf8')).toBe('model = "other"\n')
  expect(stage.gateway.parts.tokens.all()).toEqual([])
})

test('a tool without a file has steps or variables, and is never connected', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const { body } = await stage.owner.get('/api/connect/tools')
  const ids = body.data.tools.map(({ id }: { id: string }) => id)
  expect(ids.toSorted()).toEqual([...tools, ...byHand].toSorted())
  for (const tool of byHand) {
    const view = body.data.tools.find(({ id }: { id: string }) => id === tool)
    expect(view).toMatchObject({ kind: 'instruction', files: [], can_undo: false })
    expect(view.steps.length).toBeGreaterThan(0)
    const shown = JSON.stringify([view.steps, view.snippets])
    expect(shown).toContain(stage.gateway.url)
    expect(shown).toContain('<token>')
    const refused = await stage.owner.send('POST', '/api/connect/preview', choiceOf(tool))
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/steps/)])
  }
  expect(stage.gateway.parts.tokens.all()).toEqual([])
})

test('a key that is not in a file is asked for in a step', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  for (const tool of ['zed', 'vscode']) {
    const { body } = await connect(stage, tool)
    expect(JSON.stringify(body.data.steps)).toContain('<token>')
    const texts = body.data.files.map(({ path }: { path: string }) => readFileSync(path, 'utf8'))
    expect(texts.join()).not.toContain('sk-')
  }
})

test('a time that Cline writes into its own entry is no change, and the entry still goes whole', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  await connect(stage, 'cline')
  const path = home.at('.cline/data/settings/providers.json')
  const settings = JSON.parse(readFileSync(path, 'utf8'))
  settings.providers['openai-compatible'].updatedAt = '2026-11-24T10:00:00.000Z'
  writeFileSync(path, JSON.stringify(settings))
  const { body } = await stage.owner.get('/api/connect/tools')
  const view = body.data.tools.find(({ id }: { id: string }) => id === 'cline')
  expect(view.status).toBe('here')
  await undo(stage, 'cline')
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')).providers)).toEqual(['anthropic'])
})

test('models that Crush noted as picked no longer beat the chosen ones', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  await connect(stage, 'crush')
  const { models } = JSON.parse(readFileSync(home.at('.local/share/crush/crush.json'), 'utf8'))
  expect(models.large).toEqual({ provider: 'switchyard', model: 'echo' })
})

test('a required field of a new file is written, and one that stands there is left', async () => {
  const [fresh, own] = [toolHome({}), toolHome()]
  for (const home of [fresh, own]) await connect(await stageAt(home), 'continue')
  const nameIn = (home: ToolHome) =>
    /^name: .*$/m.exec(readFileSync(home.at('.continue/config.yaml'), 'utf8'))?.[0]
  expect([nameIn(fresh), nameIn(own)]).toEqual(['name: Local', 'name: Mine'])
})

test('a model in .env keeps its comment and place, when others changed the file since', async () => {
  const env = 'A=1\nGEMINI_MODEL=pro # my choice\nB=2\n'
  const home = toolHome({ '.gemini/.env': env })
  const stage = await stageAt(home)
  await connect(stage, 'gemini-cli')
  const path = home.at('.gemini/.env')
  const connected = readFileSync(path, 'utf8')
  expect(connected).toContain('GEMINI_MODEL="" # my choice\n')
  writeFileSync(path, `${connected}C=3\n`)
  const { body } = await undo(stage, 'gemini-cli')
  expect(body.data.files).toContainEqual({ path, restored: 'keys' })
  expect(readFileSync(path, 'utf8')).toBe(`${env}C=3\n`)
})

test('models known to have the context and to call tools come first, then unknown ones, then those without', async () => {
  const stage = await stageAt(toolHome())
  const models =
    'aaa-unknown,gpt-4,sonar-pro,claude-opus-4-8,mistral-large-latest,text-embedding-3-small'
  await stage.owner.send('POST', '/api/channel', echoChannel({ models }))
  const mapped = { models: 'mine', model_mapping: '{"mine":"mistral-large-latest"}' }
  await stage.owner.send('POST', '/api/channel', echoChannel(mapped))
  const { body } = await stage.owner.get('/api/connect/models?tool=claude-code')
  const ranked = body.data.models.map(({ id, fits }: { id: string; fits: unknown }) => [id, fits])
  expect(ranked.filter(([id]: string[]) => models.includes(String(id)))).toEqual([
    ...[
      ['claude-opus-4-8', true],
      ['aaa-unknown', null],
      ['mistral-large-latest', null],
    ],
    ...[
      ['gpt-4', false],
      ['sonar-pro', false],
      ['text-embedding-3-small', false],
    ],
  ])
  const known = body.data.models.map(({ id, tools }: { id: string; tools: unknown }) => [id, tools])
  expect(known).toContainEqual(['mistral-large-latest', true])
  expect(known).toContainEqual(['sonar-pro', false])
  // By what stands behind the name.
  expect(known).toContainEqual(['mine', true])
  // Aider edits without tools.
  const { body: aider } = await stage.owner.get('/api/connect/models?tool=aider')
  expect(aider.data.models).toContainEqual(
    expect.objectContaining({ id: 'sonar-pro', tools: false, fits: true }),
  )
  // A window of just the size that is needed fits.
  await stage.owner.send('POST', '/api/channel', echoChannel({ models: 'gpt-4o' }))
  const { body: copilot } = await stage.owner.get('/api/connect/models?tool=copilot-cli')
  expect(copilot.data.models).toContainEqual(
    expect.objectContaining({ id: 'gpt-4o', context: 128_000, fits: true }),
  )
})

test('a read-only file is told in words, and no token is left over', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  chmodSync(home.at('.codex/config.toml'), 0o440)
  const { status, body } = await connect(stage, 'codex')
  expect(status).toBe(409)
  expect(body.message).toContain('is read-only')
  expect(stage.gateway.parts.tokens.all()).toEqual([])
})

test("the token is the tool's own, for the chosen models alone, and new files are private", async () => {
  const home = toolHome({})
  const stage = await stageAt(home)
  await connect(stage, 'opencode')
  const [token] = stage.gateway.parts.tokens.all()
  expect(token).toMatchObject({ name: 'OpenCode', modelLimitsEnabled: true, modelLimits: ['echo'] })
  const path = home.at('.config/opencode/opencode.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toContain(`sk-${token?.key}`)
})

test('when the record is lost, our own address is not kept as the original', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  await connect(stage, 'claude-code')
  rmSync(`${stage.gateway.parts.dataFolder}/connect`, { recursive: true })
  await connect(stage, 'claude-code', 'echo-mini')
  await undo(stage, 'claude-code')
  const text = readFileSync(home.at('.claude/settings.json'), 'utf8')
  expect(text).not.toContain('ANTHROPIC_BASE_URL')
  expect(text).toContain('cleanupPeriodDays')
})

test('disconnecting all takes every tool back', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const before = home.snapshot()
  for (const tool of tools) await connect(stage, tool)
  const { body } = await stage.owner.send('POST', '/api/connect/undo-all', {})
  expect(body.data).toMatchObject({ failed: [], other_gateways: [] })
  expect(body.data.undone.toSorted()).toEqual(tools.toSorted())
  expect(body.data.tokens).toHaveLength(tools.length)
  expect(body.data.tokens.every(({ kept }: { kept: unknown }) => kept === null)).toBe(true)
  expect(stage.gateway.parts.tokens.all()).toEqual([])
  expect(home.snapshot()).toEqual(before)
})

test('from another machine the page is shown, and nothing is changed', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const proxied = { 'x-forwarded-for': '203.0.113.9' }
  const { body: list } = await stage.owner.get('/api/connect/tools', proxied)
  expect(list.data.local).toBe(false)
  for (const { snippets, steps } of list.data.tools) {
    const shown = JSON.stringify([snippets, steps])
    expect(shown).not.toMatch(/127\.0\.0\.1|localhost/)
    expect(shown).not.toContain(home.path)
  }
  expect(list.data.tools[0].snippets[0]).toMatchObject({
    ...{ shell: 'file', path: '~/.claude/settings.json' },
    text: expect.stringContaining('"ANTHROPIC_BASE_URL": "<address>"'),
  })
  // Where it is unless a machine has the other one already.
  const openCode = list.data.tools.find(({ id }: { id: string }) => id === 'opencode')
  expect(openCode.snippets).toMatchObject([{ path: '~/.config/opencode/opencode.json' }])
  const { status, body } = await stage.owner.send(
    ...(['POST', '/api/connect/undo', { tool: 'codex' }, proxied] as const),
  )
  expect([status, body.code]).toEqual([403, 'forbidden'])
})

test('any settings of others survive connecting and undoing', async () => {
  const home = toolHome({ '.claude/settings.json': '{}', '.codex/config.toml': '' })
  const stage = await stageAt(home)
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5, noNullPrototype: true })
  const layout = fc.constantFrom<string | number>('', 2, '\t')
  await fc.assert(
    fc.asyncProperty(object, layout, async (value, space) => {
      const { env: _env, ...rest } = value
      const text = JSON.stringify(rest, null, space)
      const path = home.at('.claude/settings.json')
      writeFileSync(path, text)
      const { body } = await connect(stage, 'claude-code')
      expect(body.success, body.message).toBe(true)
      const { env, ...kept } = JSON.parse(readFileSync(path, 'utf8'))
      expect(kept).toEqual(JSON.parse(JSON.stringify(rest)))
      expect(env.ANTHROPIC_MODEL).toBe('claude-via-echo')
      await undo(stage, 'claude-code')
      expect(readFileSync(path, 'utf8')).toBe(text)
    }),
    runsOf(40, 10),
  )
})
