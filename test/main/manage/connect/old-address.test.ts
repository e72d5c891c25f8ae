import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Management, startUnset } from '../management.ts'
import { connectTo } from './connect-command.ts'
import { connect, stageAt, undo, viewOf } from './connect-stage.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

const tools = ['claude-code', 'codex', 'gemini-cli', 'opencode']

/** The same gateway after a restart, at another port. */
async function restartedAt(home: ToolHome, stage: Management): Promise<Management> {
  const { dataFolder } = stage.gateway.parts
  await stage.gateway.close()
  const unset = await startUnset({ dataFolder, env: { HOME: home.path, PATH: '' } })
  expect(unset.gateway.url).not.toBe(stage.gateway.url)
  const owner = unset.visitor()
  await owner.send('POST', '/api/user/login', { username: 'ada', password: 'correct horse' })
  return { ...unset, owner, signIn: () => Promise.resolve(owner) }
}

const update = ({ owner }: Management, tool: string | null) =>
  owner.send('POST', '/api/connect/update-address', { tool })

test.each(tools)(
  '%s is offered the new address, keeps token and models, and goes back to the original',
  async (tool) => {
    const home = toolHome()
    const before = home.snapshot()
    const old = await stageAt(home)
    await connect(old, tool, 'echo-mini')
    const connected = home.snapshot()
    const now = await restartedAt(home, old)
    expect(await viewOf(now, tool)).toMatchObject({
      ...{ status: 'changed', old_address: old.gateway.url, other_gateway: null },
      problem: expect.stringContaining('old address'),
    })

    const { body } = await update(now, tool)
    expect(body.data, body.message).toEqual({ updated: [tool], failed: [] })
    const view = await viewOf(now, tool)
    expect(view).toMatchObject({ status: 'here', old_address: null, chosen: { main: 'echo-mini' } })
    expect(now.gateway.parts.tokens.all()).toHaveLength(1)
    const [oldUrl, newUrl] = [old.gateway.url, now.gateway.url]
    const moved = Object.entries(connected).map(([name, text]) => [
      name,
      text.replaceAll(oldUrl, newUrl),
    ])
    expect(home.snapshot()).toEqual(Object.fromEntries(moved))
    await undo(now, tool)
    expect(home.snapshot()).toEqual(before)
  },
)

test('one click updates all of them, and what fails is named', async () => {
  const home = toolHome()
  const old = await stageAt(home)
  for (const tool of tools) await connect(old, tool)
  const now = await restartedAt(home, old)
  chmodSync(home.at('.codex/config.toml'), 0o440)
  const { body } = await update(now, null)
  expect(body.data.updated).toEqual(['claude-code', 'gemini-cli', 'opencode'])
  expect(body.data.failed).toEqual([
    { tool: 'codex', problem: expect.stringContaining('read-only') },
  ])
  expect(await viewOf(now, 'codex')).toMatchObject({ old_address: old.gateway.url, can_undo: true })
  chmodSync(home.at('.codex/config.toml'), 0o640)
  expect((await update(now, null)).body.data).toEqual({ updated: ['codex'], failed: [] })
})

test('keys that somebody changed meanwhile stay changed, and undo leaves them', async () => {
  const home = toolHome()
  const old = await stageAt(home)
  await connect(old, 'claude-code')
  const path = home.at('.claude/settings.json')
  const edited = readFileSync(path, 'utf8').replace(
    /"ANTHROPIC_MODEL": "claude-via-echo"/,
    '"ANTHROPIC_MODEL": "mine"',
  )
  writeFileSync(path, edited)
  const now = await restartedAt(home, old)
  await update(now, 'claude-code')
  const text = readFileSync(path, 'utf8')
  expect(text).toContain('"ANTHROPIC_MODEL": "mine"')
  expect(text).toContain(`"ANTHROPIC_BASE_URL": "${now.gateway.url}"`)
  const { body } = await undo(now, 'claude-code')
  expect(body.data.files).toMatchObject([{ restored: 'keys' }])
  const left = readFileSync(path, 'utf8')
  expect(left).toContain('"ANTHROPIC_MODEL": "mine"')
  expect(left).not.toMatch(/127\.0\.0\.1|sk-/)
})

test('a tool that points here, or elsewhere by now, has nothing to update', async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const none = await update(stage, 'codex')
  expect([none.status, none.body.message]).toEqual([409, expect.stringContaining('not connected')])
  await connect(stage, 'codex')
  expect((await update(stage, null)).body.data).toEqual({ updated: [], failed: [] })
  const path = home.at('.codex/config.toml')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(stage.gateway.url, 'http://10.0.0.1'))
  const { status } = await update(stage, 'codex')
  expect(status).toBe(409)
})

test('npm run connect says so, and takes the new address with --update', async () => {
  const home = toolHome()
  const old = await stageAt(home)
  await connect(old, 'codex')
  const now = await restartedAt(home, old)
  const run = connectTo(now)
  expect((await run('--list')).stdout).toMatch(/^codex +old address +http/m)
  const { code, stdout } = await run('--update')
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Codex points to ${now.gateway.url}`)])
  expect((await run('--update')).stdout).toContain('No tool points to an old address')
})
