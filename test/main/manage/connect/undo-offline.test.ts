import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { thisMachine } from '../../../../main/manage/connect/this-machine.ts'
import { undoOffline } from '../../../../main/manage/connect/undo-offline.ts'
import type { StartError } from '../../../../main/store/folder/start-error.ts'
import { runGateway } from '../../../support/gateway/gateway-process.ts'
import { connect, stageAt, viewOf } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

/** `npm run gateway -- --disconnect-all` on a folder: its exit code and all that it says. */
async function disconnectAll(dataFolder: string, home: string) {
  const flags = ['--disconnect-all', '--data-dir', dataFolder]
  const process = await runGateway({ dataFolder, flags, env: { HOME: home } })
  const { code } = await process.exited
  return { code, stdout: process.stdout(), stderr: process.stderr() }
}

test('every tool is disconnected byte for byte while the gateway is stopped, and not while it runs', {
  timeout: 120_000,
}, async () => {
  const home = toolHome()
  const stage = await stageAt(home)
  const { dataFolder } = stage.gateway.parts
  const before = home.snapshot()
  for (const tool of ['claude-code', 'codex', 'llm']) await connect(stage, tool)
  const connected = home.snapshot()
  const early = await disconnectAll(dataFolder, home.path)
  expect([early.code, early.stdout]).toEqual([1, ''])
  expect(early.stderr).toContain('in use by another Switchyard')
  expect(home.snapshot()).toEqual(connected)

  await stage.gateway.close()
  const { code, stdout, stderr } = await disconnectAll(dataFolder, home.path)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('Claude Code is disconnected.')
  expect(stdout).toContain(`${home.at('.codex/config.toml')}: as it was before, byte for byte`)
  expect(home.snapshot()).toEqual(before)
  const machine = thisMachine({ HOME: home.path })
  expect(await undoOffline(dataFolder, machine)).toBe('No tool is connected.')
})

test('a tool that pointed to another Switchyard before points there again', async () => {
  const home = toolHome()
  const [one, two] = [await stageAt(home), await stageAt(home)]
  await connect(one, 'codex')
  const first = home.snapshot()
  await connect(two, 'codex')
  await two.gateway.close()
  await undoOffline(two.gateway.parts.dataFolder, thisMachine({ HOME: home.path }))
  expect(home.snapshot()).toEqual(first)
})

test('a tool that can’t be disconnected keeps no other from it, and is named', async () => {
  const home = toolHome()
  const [stage, other] = [await stageAt(home), await stageAt(home)]
  for (const tool of ['claude-code', 'codex', 'gemini-cli']) await connect(stage, tool)
  await connect(other, 'gemini-cli')
  const broken = home.at('.codex/config.toml')
  const text = `${readFileSync(broken, 'utf8')}\n= broken`
  writeFileSync(broken, text)
  await stage.gateway.close()
  const { dataFolder } = stage.gateway.parts
  const machine = thisMachine({ HOME: home.path })
  const stderr = await undoOffline(dataFolder, machine).catch((error: StartError) => error.message)
  expect(stderr).toContain('Claude Code is disconnected.')
  expect(stderr).toMatch(/Codex is still connected\. .*config\.toml: .* line \d+/)
  expect(stderr).toContain(
    `Gemini CLI is still connected. Gemini CLI points to another Switchyard since, at ${other.gateway.url}`,
  )
  expect(readFileSync(broken, 'utf8')).toBe(text)
  expect(readFileSync(home.at('dotfiles/claude.json'), 'utf8')).not.toContain('127.0.0.1')
  expect(await viewOf(other, 'gemini-cli')).toMatchObject({ status: 'here' })
})

test('a folder that holds no Switchyard stays as it is', async () => {
  const home = toolHome({ 'other.txt': 'x' })
  await expect(undoOffline(home.path, thisMachine({ HOME: home.path }))).rejects.toThrow(
    `${home.path} holds no Switchyard. Name its folder with --data-dir.`,
  )
  expect(home.snapshot()).toEqual({ 'other.txt': '640 x' })
})
