import { describe, expect, test } from 'vitest'
import { ConnectFolder } from '../../../main/connect/connect-record.ts'
import { planConnection } from '../../../main/connect/plan-connection.ts'
import type { Connection, Machine } from '../../../main/connect/tool.ts'
import { tools } from '../../../main/connect/tools.ts'

const HOME = '/nowhere/ada'

const machineOf = (fields: Partial<Machine> = {}): Machine => ({
  ...{ platform: 'linux', home: HOME, env: {}, exists: () => false },
  ...fields,
})

const toolNamed = (id: string) => {
  const tool = tools.find((one) => one.id === id)
  if (!tool) throw new Error(`no tool ${id}`)
  return tool
}

const paths = (id: string, fields: Partial<Machine> = {}) =>
  toolNamed(id)
    .files(machineOf(fields))
    .map(({ path }) => path.replaceAll('\\', '/').replace(`${HOME}/`, '~/'))

const connection: Connection = {
  address: 'http://127.0.0.1:4747',
  token: 'sk-1',
  models: { main: 'M' },
  facts: () => ({ context: null, output: null, images: null }),
}

const warningsOf = (id: string, fields: Partial<Machine>) =>
  planConnection(
    ...([
      toolNamed(id),
      connection,
      machineOf(fields),
      new ConnectFolder('/nowhere/data'),
      null,
    ] as const),
  ).warnings.map(({ message }) => message)

describe('files are where the tool looks for them', () => {
  const windows = { APPDATA: '/roaming', LOCALAPPDATA: '/local' }
  test.each([
    ['vscode', '~/.config', '~/Library/Application Support', '/roaming', '/Code/User/'],
    ['zed', '~/.config/zed', '~/.config/zed', '/roaming/Zed', '/settings.json'],
    ['goose', '~/.config', '~/.config', '/roaming/Block', '/goose/'],
    ['llm', '~/.config', '~/Library/Application Support', '/roaming', '/io.datasette.llm/'],
    ['crush', '~/.config', '~/.config', '~/.config', '/crush/crush.json'],
    ['qwen-code', '~/.qwen', '~/.qwen', '~/.qwen', '/settings.json'],
    ['kilo', '~/.config', '~/.config', '~/.config', '/kilo/kilo.jsonc'],
  ] as const)('%s', (id, linux, mac, win, rest) => {
    expect(paths(id)[0]).toContain(`${linux}${rest}`)
    expect(paths(id, { platform: 'darwin' })[0]).toContain(`${mac}${rest}`)
    expect(paths(id, { platform: 'win32', env: windows })[0]).toContain(`${win}${rest}`)
  })

  test.each([
    ['qwen-code', { QWEN_HOME: '/moved' }, '/moved/settings.json'],
    ['crush', { CRUSH_GLOBAL_CONFIG: '/moved' }, '/moved/crush.json'],
    ['goose', { GOOSE_PATH_ROOT: '/moved' }, '/moved/config/config.yaml'],
    ['continue', { CONTINUE_GLOBAL_DIR: '/moved' }, '/moved/config.yaml'],
    ['cline', { CLINE_DIR: '/moved' }, '/moved/data/settings/providers.json'],
    ['cline', { CLINE_PROVIDER_SETTINGS_PATH: '/moved.json' }, '/moved.json'],
    ['zed', { XDG_CONFIG_HOME: '/moved' }, '/moved/zed/settings.json'],
    ['kilo', { XDG_CONFIG_HOME: '/moved' }, '/moved/kilo/kilo.jsonc'],
    ['llm', { LLM_USER_PATH: '/moved' }, '/moved/extra-openai-models.yaml'],
    ['vscode', { VSCODE_PORTABLE: '/moved' }, '/moved/user-data/User/chatLanguageModels.json'],
  ] as const)('%s, also where a variable moves them', (id, env, path) => {
    expect(paths(id, { env })[0]).toBe(path)
  })

  test('an edition or a form that is there is taken, not a new one', () => {
    const only = (end: string) => ({ exists: (path: string) => path.endsWith(end) })
    expect(paths('vscode', only('Code - Insiders/User'))[0]).toContain('Code - Insiders')
    expect(paths('kilo', only('kilo.json'))[0]).toBe('~/.config/kilo/kilo.json')
  })
})

test.each(tools.filter(({ kind }) => kind === 'file').map((tool) => [tool.name, tool] as const))(
  '%s gets the model of each of its slots',
  (_, { slots, edits }) => {
    const models = Object.fromEntries(slots.map(({ id }) => [id, `model-${id}`]))
    const made = edits?.({ ...connection, models: { main: '', ...models } }, machineOf()) ?? []
    const values = JSON.stringify(made.map(({ value }) => value))
    for (const model of Object.values(models)) expect(values).toContain(model)
  },
)

test.each([
  ['goose', { env: { GOOSE_MODEL: 'x' } }, 'GOOSE_MODEL'],
  ['qwen-code', { env: { SWITCHYARD_API_KEY: 'x' } }, 'SWITCHYARD_API_KEY'],
  ['kilo', { env: { KILO_CONFIG: 'x' } }, 'KILO_CONFIG'],
  ['aider', { env: { AIDER_MODEL: 'x' } }, 'AIDER_MODEL'],
  ['aider', { exists: (path: string) => path.endsWith('/.env') }, '.env'],
  ['crush', { exists: (path: string) => path.endsWith('crushrc') }, 'crushrc'],
  ['codex', { exists: (path: string) => path.endsWith('/.codex/sessions') }, 'codex resume'],
  ['cline', { env: { http_proxy: 'http://proxy:1' } }, 'HTTP_PROXY'],
])('%s: what beats its file is told', (id, fields, name) => {
  expect(warningsOf(id, fields)).toEqual([expect.stringContaining(name)])
  expect(warningsOf(id, {})).toEqual([])
})

test('names, slots and steps of every tool can be shown', () => {
  const ids = tools.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const tool of tools) {
    expect(tool.slots[0]?.id).toBe('main')
    expect(tool.docsUrl).toMatch(/^https:/)
    const steps = tool.steps?.(connection) ?? []
    // Marks come in pairs.
    for (const { message } of steps) expect(message.split('`').length % 2, message).toBe(1)
    expect(tool.kind === 'file' || steps.length > 0, tool.id).toBe(true)
  }
})

test.each([
  ['a known model', { context: 200_000, output: 64_000 }, [136_000, 64_000]],
  ['a model of unknown size', { context: null, output: null }, [119_808, 8192]],
  [
    'a model whose answer may fill the window',
    { context: 32_000, output: 32_000 },
    [16_000, 16_000],
  ],
] as const)('vscode: input and output of %s fit its window together', (_name, known, limits) => {
  const facts = () => ({ ...known, images: null })
  const edits = toolNamed('vscode').edits({ ...connection, facts }, machineOf())
  const [maxInputTokens, maxOutputTokens] = limits
  expect(edits).toMatchObject([{ value: { models: [{ maxInputTokens, maxOutputTokens }] } }])
})

test('opencode: a model’s window and its longest answer are written together or not at all', () => {
  const modelOf = (context: number | null, output: number | null) => {
    const facts = () => ({ context, output, images: null })
    const [provider] = toolNamed('opencode').edits({ ...connection, facts }, machineOf())
    return provider?.value
  }
  expect(modelOf(200_000, 64_000)).toMatchObject({
    models: { M: { name: 'M', limit: { context: 200_000, output: 64_000 } } },
  })
  expect(modelOf(200_000, null)).toMatchObject({ models: { M: { name: 'M' } } })
  for (const value of [modelOf(200_000, null), modelOf(null, 64_000)])
    expect(JSON.stringify(value)).not.toContain('limit')
})

const opencodeImages = {
  attachment: true,
  modalities: { input: ['text', 'image'], output: ['text'] },
}

/** What each tool's file says of a model that takes images, and of one that takes none. */
test.each([
  ['opencode', opencodeImages, null],
  ['kilo', opencodeImages, null],
  ['crush', { supports_attachments: true }, null],
  ['llm', { vision: true }, null],
  ['continue', { capabilities: ['tool_use', 'image_input'] }, { capabilities: ['tool_use'] }],
  ['qwen-code', { modalities: { image: true } }, null],
  ['zed', { images: true }, { images: false }],
  ['vscode', { vision: true }, { vision: false }],
] as const)('%s is told whether its model takes images', (id, taking, refusing) => {
  const written = (images: boolean | null) => {
    const facts = () => ({ context: null, output: null, images })
    return JSON.stringify(toolNamed(id).edits({ ...connection, facts }, machineOf()))
  }
  const fields = (value: object) => JSON.stringify(value).slice(1, -1)
  expect(written(true)).toContain(fields(taking))
  for (const images of [false, null]) {
    const isDefault = images === null && (id === 'zed' || id === 'vscode')
    const expected = isDefault ? taking : refusing
    if (expected) expect(written(images)).toContain(fields(expected))
    else expect(written(images)).not.toContain(fields(taking))
  }
})
