import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findKeys } from '../../../../main/transfer/found/found-keys.ts'
import { samples } from '../from/samples.ts'

let home: string
const readTables = async () => null

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
  const found = await findKeys({ env, home, readTables })
  expect(found.map(({ where, draft }) => [where, draft.name, draft.keys])).toEqual([
    ['Environment', 'Groq', ['gsk_test_1']],
    [`Claude Code: ${claude}`, 'Anthropic', ['sk-ant-test-9']],
    // Aider's file has the same key, which is told once.
    [`Codex: ${codex}`, 'OpenAI', ['sk-test-openai']],
    [`Claude Code Router: ${router}`, 'deepseek', ['sk-test-deepseek']],
    [`Claude Code Router: ${router}`, 'google', ['AIza-test-1']],
    [`Claude Code Router: ${router}`, 'direct', ['sk-test-direct']],
  ])
  expect(await findKeys({ env, home, readTables })).toEqual(found)
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
  const found = await findKeys({ env: {}, home, readTables })
  expect(found.map(({ where }) => where)).toEqual([`.env: ${file}`])
})
