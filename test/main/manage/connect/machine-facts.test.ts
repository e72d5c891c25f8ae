import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Machine } from '../../../../main/connect/tool.ts'
import { factsOf } from '../../../../main/manage/connect/machine-facts.ts'
import { startManagement } from '../management.ts'
import { connectTo } from './connect-command.ts'
import { stageAt } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

/** A machine with these files, and nothing else. */
const machine = (fields: Partial<Machine>, files: readonly string[]): Machine => ({
  ...{ platform: 'linux', home: '/home/ada', env: {} },
  exists: (path) => files.includes(path),
  ...fields,
})

const cases: [string, Partial<Machine>, string[], string, object][] = [
  ['Linux', {}, ['/home/ada'], '6.8.0', { kind: 'plain', home_problem: null }],
  ['no such home folder', {}, [], '6.8.0', { kind: 'plain', home_problem: 'missing' }],
  ['WSL', {}, ['/home/ada'], '5.15-microsoft-standard-WSL2', { kind: 'wsl', home_problem: null }],
  [
    'WSL with the home folder of Windows',
    { home: '/mnt/c/Users/ada', env: { WSL_DISTRO_NAME: 'Ubuntu' } },
    ['/mnt/c/Users/ada'],
    '',
    { kind: 'wsl', home_problem: 'foreign' },
  ],
  [
    'a path of Windows on Linux',
    { home: 'C:\\Users\\ada' },
    [],
    '6.8.0',
    { kind: 'plain', home_problem: 'foreign' },
  ],
  ['Docker', {}, ['/home/ada', '/.dockerenv'], '6.8.0', { kind: 'container', home_problem: null }],
  ['Podman', {}, ['/home/ada', '/run/.containerenv'], '', { kind: 'container' }],
  [
    'Windows',
    { platform: 'win32', home: 'C:\\Users\\ada' },
    ['C:\\Users\\ada'],
    '10.0',
    { kind: 'plain', home_problem: null },
  ],
  [
    'the home folder of WSL on Windows',
    { platform: 'win32', home: '\\\\wsl$\\Ubuntu\\home\\ada' },
    [],
    '10.0',
    { home_problem: 'foreign' },
  ],
]

test.each(cases)('%s is told apart', (_name, fields, files, kernel, expected) => {
  expect(factsOf(machine(fields, files), kernel)).toMatchObject(expected)
})

test.each([
  ['a home folder that is not there', (path: string) => join(path, 'gone'), /doesn't exist/],
  ['one of another system', () => 'C:\\Users\\ada', /is a path of another system/],
])('%s: nothing is written, and the reason is told', async (_name, homeOf, expected) => {
  const { path } = toolHome({})
  const stage = await startManagement({ env: { HOME: homeOf(path), PATH: '' } })
  const input = { tool: 'codex', token_id: null, models: { main: 'echo' } }
  const { status, body } = await stage.owner.send('POST', '/api/connect/preview', input)
  expect([status, body.message]).toEqual([409, expect.stringMatching(expected)])
})

test('npm run connect says when the gateway connects another home folder than one’s own', async () => {
  const stage = await stageAt(toolHome())
  const run = (home: string) =>
    connectTo({ gateway: stage.gateway, home })('--list').then(({ stdout }) => stdout)
  const { home } = stage.gateway.parts.machine
  expect(await run('/home/somebody')).toContain(
    `connects tools in ${home}, and your home folder is`,
  )
  expect(await run(home)).not.toContain('your home folder is')
})
