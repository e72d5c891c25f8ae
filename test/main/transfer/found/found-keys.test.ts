import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findKeys } from '../../../../main/transfer/found/found-keys.ts'
import { samples } from '../from/samples.ts'

let home: string
const readTables = async () => null
const toolFile = (tool: string, file: string) => join(home, `.${tool}`, file)

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'switchyard-keys-'))
})

afterEach(() => rmSync(home, { recursive: true }))

function put(path: string, text: string): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

test('keys are found in the environment and in the files of the tools, each once and by its place', async () => {
  const codex = put('.codex/auth.json', samples.codexAuth.text)
  const router = put('.claude-code-router/config.json', samples.ccrOld.text)
  const claude = put('.claude/settings.json', '{"env":{"ANTHROPIC_API_KEY":"sk-ant-test-9"}}')
  put('.aider.conf.yml', 'openai-api-key: sk-test-openai\n')
  const env = { GROQ_API_KEY: 'gsk_test_1', MY_DEEPSEEK_KEY: 'sk-test-deepseek' }
  const found = await findKeys({ env, home, readTables, toolFile })
  expect(found.map(({ where, draft }) => [where, draft.name, draft.keys])).toEqual([
    ['Environment', 'Groq', ['gsk_test_1']],
    [`Claude Code: ${claude}`, 'Anthropic', ['sk-ant-test-9']],
    // Aider's file has the same key, which is told once.
    [`Codex: ${codex}`, 'OpenAI', ['sk-test-openai']],
    [`Claude Code Router: ${router}`, 'deepseek', ['sk-test-deepseek']],
    [`Claude Code Router: ${router}`, 'google', ['AIza-test-1']],
    [`Claude Code Router: ${router}`, 'direct', ['sk-test-direct']],
  ])
  expect(await findKeys({ env, home, readTables, toolFile })).toEqual(found)
  for (const { id, draft } of found) expect(id).not.toContain(draft.keys[0])
})

test('broken, huge and strange files hide nothing else', async () => {
  put('.codex/config.toml', 'model_providers = [')
  put('.config/opencode/opencode.json', '{"provider": 5}')
  put('.aider.conf.yml', `# ${'x'.repeat(2_100_000)}\nopenai-api-key: sk-test-huge\n`)
  mkdirSync(join(home, '.claude', 'settings.json'), { recursive: true })
  put('.gemini/other', '')
  symlinkSync('/dev/zero', join(home, '.gemini', '.env'))
  const file = put('.env', 'MISTRAL_API_KEY=test-mistral\n')
  const found = await findKeys({ env: {}, home, readTables, toolFile })
  expect(found.map(({ where }) => where)).toEqual([`.env: ${file}`])
})

test('keys in the files of Qwen Code, Crush, Goose, Continue and llm are found, also by their variables', async () => {
  put(
    '.qwen-code/settings',
    JSON.stringify({
      env: { DASHSCOPE_API_KEY: 'sk-test-qwen-1' },
      modelProviders: {
        openai: [
          { id: 'coder', envKey: 'RELAY_KEY', baseUrl: 'https://relay.example.com/v1' },
          { id: 'lost', envKey: 'NOT_SET', baseUrl: 'https://lost.example.com/v1' },
        ],
      },
    }),
  )
  put('.qwen-code/.env', 'MISTRAL_API_KEY=test-mistral-2\n')
  put(
    '.crush/config',
    JSON.stringify({
      providers: {
        acme: {
          ...{ name: 'Acme', type: 'anthropic', base_url: 'https://acme.example.com' },
          ...{ api_key: '$ACME_KEY', models: [{ id: 'a-1' }] },
        },
        groq: { api_key: 'gsk_test_3' },
      },
    }),
  )
  put('.goose/secrets.yaml', 'OPENROUTER_API_KEY: sk-or-test-4\n')
  put(
    '.continue/config',
    `models:
  - { provider: anthropic, model: claude-x, apiKey: sk-ant-test-5 }
  - { provider: openai, model: o, apiBase: "https://o.example.com/v1", apiKey: "\${{ secrets.O_KEY }}" }
`,
  )
  put('.llm/keys', '{"// Note": "keys", "deepseek": "sk-test-deep-7", "switchyard": "sk-own"}')
  const env = { RELAY_KEY: 'sk-test-relay', ACME_KEY: 'sk-test-acme', O_KEY: 'sk-test-o-6' }
  const found = await findKeys({ env, home, readTables, toolFile })
  expect(
    found.map(({ where, draft }) => [where.split(':')[0], draft.name, draft.type, draft.keys[0]]),
  ).toEqual([
    ['Qwen Code', 'Qwen (DashScope), China', expect.any(Number), 'sk-test-qwen-1'],
    ['Qwen Code', 'relay.example.com', 1, 'sk-test-relay'],
    ['Qwen Code', 'Mistral', 42, 'test-mistral-2'],
    ['Crush', 'Acme', 14, 'sk-test-acme'],
    ['Crush', 'groq', expect.any(Number), 'gsk_test_3'],
    ['Goose', 'OpenRouter', 20, 'sk-or-test-4'],
    ['Continue', 'Anthropic', 14, 'sk-ant-test-5'],
    ['Continue', 'o.example.com', 1, 'sk-test-o-6'],
    ['llm', 'DeepSeek', 43, 'sk-test-deep-7'],
  ])
})

test('a variable in Qwen Code’s file gives a key only where the environment has none, as for Qwen Code itself', async () => {
  const openai = ['SET', 'EMPTY', 'NOT_SET'].map((envKey) => ({
    ...{
      id: 'm',
      envKey,
      baseUrl: `https://${envKey.toLowerCase().replace('_', '-')}.example.com/v1`,
    },
  }))
  const own = { SET: 'sk-test-file-1', EMPTY: 'sk-test-file-2', NOT_SET: 'sk-test-file-3' }
  put('.qwen-code/settings', JSON.stringify({ env: own, modelProviders: { openai } }))
  const env = { SET: 'sk-test-shell', EMPTY: '' }
  const found = await findKeys({ env, home, readTables, toolFile })
  expect(found.map(({ draft }) => [draft.name, draft.keys])).toEqual([
    ['set.example.com', ['sk-test-shell']],
    ['empty.example.com', ['sk-test-file-2']],
    ['not-set.example.com', ['sk-test-file-3']],
  ])
})

test('a variable that is set to nothing moves no files', async () => {
  const codex = put('.codex/auth.json', samples.codexAuth.text)
  const claude = put('.claude/settings.json', '{"env":{"ANTHROPIC_API_KEY":"sk-ant-test-9"}}')
  const env = { CODEX_HOME: '', CLAUDE_CONFIG_DIR: '' }
  const found = await findKeys({ env, home, readTables, toolFile })
  expect(found.map(({ where }) => where)).toEqual([`Claude Code: ${claude}`, `Codex: ${codex}`])
})

test('one key for two addresses is found for each', async () => {
  put(
    '.continue/config',
    `models:
  - { provider: openai, model: a, apiBase: "https://a.example.com/v1", apiKey: sk-test-both }
  - { provider: openai, model: b, apiBase: "https://b.example.com/v1", apiKey: sk-test-both }
`,
  )
  const found = await findKeys({ env: {}, home, readTables, toolFile })
  expect(found.map(({ draft }) => [draft.base_url, draft.keys])).toEqual([
    ['https://a.example.com/v1', ['sk-test-both']],
    ['https://b.example.com/v1', ['sk-test-both']],
  ])
})
