import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { echoChannel, type Management, startManagement } from '../management.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

const tools = ['claude-code', 'codex', 'gemini-cli', 'opencode']

async function stageAt(home: ToolHome): Promise<Management> {
  const stage = await startManagement({ env: { HOME: home.path, PATH: '' } })
  await stage.owner.send('POST', '/api/channel', echoChannel())
  return stage
}

const choiceOf = (tool: string, main = 'echo') => ({ tool, token_id: null, models: { main } })

async function preview({ owner }: Management, tool: string, main = 'echo') {
  const { body } = await owner.send('POST', '/api/connect/preview', choiceOf(tool, main))
  expect(body.success, body.message).toBe(true)
  return body.data
}

async function connect(stage: Management, tool: string, main = 'echo') {
  const { digest } = await preview(stage, tool, main)
  const choice = { ...choiceOf(tool, main), digest }
  return stage.owner.send('POST', '/api/connect/apply', choice)
}

const undo = ({ owner }: Management, tool: string) =>
  owner.send('POST', '/api/connect/undo', { tool })

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
})

test('a preview shows no secret, and writes nothing', async () => {
  const secret = 'sk-ant-0123456789abcdef0123456789'
  const home = toolHome({ '.claude/settings.json': `{ "env": { "OTHER_API_KEY": "${secret}" } }` })
  const stage = await stageAt(home)
  const before = home.snapshot()
  const data = await preview(stage, 'claude-code')
  expect(JSON.stringify(data)).not.toContain(secret)
  expect(data.files[0].diff).toContain('ANTHROPIC_BASE_URL')
  expect(data.token).toEqual({ id: null, name: 'Claude Code' })
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

test('a broken file is told with line and column, and not touched', async () => {
  const home = toolHome({ '.codex/config.toml': 'a = 1\nb = = 2\n' })
  const stage = await stageAt(home)
  const { body } = await stage.owner.get('/api/connect/tools')
  const view = body.data.tools.find(({ id }: { id: string }) => id === 'codex')
  expect(view).toMatchObject({
    status: 'broken',
    problem: expect.stringContaining('line 2, column 5'),
  })
  const refused = await stage.owner.send('POST', '/api/connect/preview', choiceOf('codex'))
  expect(refused.body.message).toContain('line 2, column 5')
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

test('two gateways do not fight: the second is undone to the first, which sees what happened', async () => {
  const home = toolHome()
  const [one, two] = [await stageAt(home), await stageAt(home)]
  await connect(one, 'codex')
  const before = home.snapshot()
  await connect(two, 'codex')
  const { body } = await one.owner.get('/api/connect/tools')
  const view = body.data.tools.find(({ id }: { id: string }) => id === 'codex')
  expect(view).toMatchObject({
    status: 'changed',
    problem: expect.stringContaining(two.gateway.url),
  })
  await undo(two, 'codex')
  expect(home.snapshot()).toEqual(before)
})

test('disconnecting all takes every tool back', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const before = home.snapshot()
  for (const tool of tools) await connect(stage, tool)
  const { body } = await stage.owner.send('POST', '/api/connect/undo-all', {})
  expect(body.data).toEqual({ undone: tools, failed: [] })
  expect(home.snapshot()).toEqual(before)
})

test('from another machine the page is shown, and nothing is changed', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const proxied = { 'x-forwarded-for': '203.0.113.9' }
  const { body: list } = await stage.owner.get('/api/connect/tools', proxied)
  expect(list.data.local).toBe(false)
  const { status, body } = await stage.owner.send(
    ...(['POST', '/api/connect/undo', { tool: 'codex' }, proxied] as const),
  )
  expect([status, body.code]).toEqual([403, 'forbidden'])
})

test('any settings of others survive connecting and undoing', { timeout: 60_000 }, async () => {
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
      expect(env.ANTHROPIC_MODEL).toBe('echo')
      await undo(stage, 'claude-code')
      expect(readFileSync(path, 'utf8')).toBe(text)
    }),
    { numRuns: 40 },
  )
})
