import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Management } from '../management.ts'
import { connect, preview, stageAt, undo, viewOf } from './connect-stage.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

interface Move {
  tool: string
  /** Its files before, and the one that makes it look elsewhere. */
  files: Record<string, string>
  make: (home: ToolHome) => void
}

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const moves: readonly Move[] = [
  {
    tool: 'opencode',
    files: { '.config/opencode/opencode.json': '{\n\t"share": "disabled"\n}' },
    make: ({ at }) => write(at('.config/opencode/opencode.jsonc'), '{ /* new */ }\n'),
  },
  {
    tool: 'kilo',
    files: { '.config/kilo/kilo.json': '{ "share": "disabled" }' },
    make: ({ at }) => write(at('.config/kilo/kilo.jsonc'), '{ /* new */ }\n'),
  },
  {
    tool: 'vscode',
    files: { '.config/Code - Insiders/User/chatLanguageModels.json': '[ ]' },
    make: ({ at }) => write(at('.config/Code/User/chatLanguageModels.json'), '[]\n'),
  },
]

/** All that holds our address or a key, but for the gateway's own folder. */
const keysIn = (home: ToolHome) =>
  Object.entries(home.snapshot()).filter(([, text]) => /sk-\w{20}|127\.0\.0\.1/.test(text))

describe.each(moves)('$tool, which looks at another file since', ({ tool, files, make }) => {
  async function connectedTwice(): Promise<[ToolHome, Management]> {
    const home = toolHome(files)
    const stage = await stageAt(home)
    expect((await connect(stage, tool)).body.message).toBe('')
    make(home)
    return [home, stage]
  }

  test('connected again, has the first file back; undo leaves no key of ours in any', async () => {
    const [home, stage] = await connectedTwice()
    const [first = ''] = Object.keys(files)
    const shown = await preview(stage, tool)
    expect(shown.files.map(({ path }: { path: string }) => path)).toContain(home.at(first))
    const { body } = await connect(stage, tool)
    expect(body.data, body.message).toMatchObject({ status: 'here' })
    expect(readFileSync(home.at(first), 'utf8')).toBe(files[first])
    expect(keysIn(home)).toHaveLength(1)
    const undone = await undo(stage, tool)
    expect(undone.status, undone.body.message).toBe(200)
    expect(keysIn(home)).toEqual([])
    expect(readFileSync(home.at(first), 'utf8')).toBe(files[first])
    expect(stage.gateway.parts.tokens.all()).toEqual([])
    expect(readdirSync(join(stage.gateway.parts.dataFolder, 'connect'))).toEqual([])
  })

  test('undone at once, has the first file back', async () => {
    const [home, stage] = await connectedTwice()
    await undo(stage, tool)
    expect(keysIn(home)).toEqual([])
  })
})

test('a variable that moves the folder: the file of the old one is put back', async () => {
  const home = toolHome({ '.codex/config.toml': 'model = "mine" # daily\n', 'new/x': '' })
  const stage = await stageAt(home)
  await connect(stage, 'codex')
  const env = stage.gateway.parts.machine.env as Record<string, string>
  env.CODEX_HOME = home.at('new')
  await connect(stage, 'codex')
  expect(readFileSync(home.at('.codex/config.toml'), 'utf8')).toBe('model = "mine" # daily\n')
  expect(existsSync(home.at('new/config.toml'))).toBe(true)
  await undo(stage, 'codex')
  expect(keysIn(home)).toEqual([])
  expect(existsSync(home.at('new/config.toml'))).toBe(false)
})

test('when the first file can’t be put back, nothing is changed, and undo still can', async () => {
  const home = toolHome({ '.config/opencode/opencode.json': '{\n\t"share": "disabled"\n}' })
  const stage = await stageAt(home)
  const before = home.snapshot()
  await connect(stage, 'opencode')
  const first = home.at('.config/opencode/opencode.json')
  const connected = readFileSync(first, 'utf8')
  write(home.at('.config/opencode/opencode.jsonc'), '{ "share": "auto" }\n')
  writeFileSync(first, `${connected} x`)
  const { status, body } = await stage.owner.send('POST', '/api/connect/preview', {
    ...{ tool: 'opencode', token_id: null, models: { main: 'echo' } },
  })
  expect([status, body.message]).toEqual([409, expect.stringContaining('opencode.json: ')])
  writeFileSync(first, connected)
  await undo(stage, 'opencode')
  expect(home.snapshot(['.config/opencode/opencode.json'])).toEqual(before)
})

test('a file that was renamed with our keys in it gets its original back', async () => {
  const text = '{\n\t// mine\n\t"share": "disabled"\n}'
  const home = toolHome({ '.config/opencode/opencode.json': text })
  const [plain, withComments] = ['', 'c'].map((end) =>
    home.at(`.config/opencode/opencode.json${end}`),
  )
  const stage = await stageAt(home)
  for (const again of [false, true]) {
    await connect(stage, 'opencode')
    renameSync(String(plain), String(withComments))
    if (again) {
      await connect(stage, 'opencode', 'echo-mini')
      expect((await viewOf(stage, 'opencode')).chosen).toEqual({ main: 'echo-mini' })
    }
    await undo(stage, 'opencode')
    expect(readFileSync(String(withComments), 'utf8')).toBe(text)
    renameSync(String(withComments), String(plain))
  }
})
