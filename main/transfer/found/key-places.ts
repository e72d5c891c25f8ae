import { dirname, join } from 'node:path'
import { aider } from '../from/aider.ts'
import { ccSwitch, ccSwitchDatabase } from '../from/cc-switch/cc-switch.ts'
import { claudeCodeRouter, claudeCodeRouterDatabase } from '../from/claude-code-router.ts'
import { cliProxyApi } from '../from/cli-proxy-api.ts'
import { codex } from '../from/codex.ts'
import type { DatabaseImporter, Tables } from '../from/database-importer.ts'
import { dotEnv } from '../from/dot-env.ts'
import { liteLlm } from '../from/lite-llm.ts'
import { openCode } from '../from/open-code.ts'
import type { Variables } from '../from/variables.ts'
import type { Foreign } from '../transfer.ts'
import {
  readContinue,
  readCrush,
  readEnvBlock,
  readGoose,
  readLlm,
  readQwenCode,
} from './tool-keys.ts'

/** The machine, as far as keys are looked for on it. */
export interface Machine {
  env: Readonly<Record<string, string | undefined>>
  /** Absolute path. */
  home: string
  /** Reads tables of a database; null where there is none, or it can't be read. */
  readTables(path: string, tables: readonly string[]): Promise<Tables | null>
  /** Where a tool of the Connect page keeps a file, by the ids of both. */
  toolFile(tool: string, file: string): string
}

/** A file that may hold keys: a text, or a database. */
export type KeyPlace = { tool: string; path: string } & (
  | { read: ReadText }
  | { database: DatabaseImporter }
)

type ReadText = (text: string, variables: Variables) => Foreign

/** Where the tools keep their files, on every system below the home folder unless a variable says otherwise. */
export function keyPlaces({ env, home, toolFile }: Omit<Machine, 'readTables'>): KeyPlace[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share')
  const codexHome = env.CODEX_HOME || join(home, '.codex')
  const claudeHome = env.CLAUDE_CONFIG_DIR || join(home, '.claude')
  const read = (importer: { read: ReadText }): ReadText => importer.read.bind(importer)
  const liteLlmFiles = [
    env.CONFIG_FILE_PATH ?? '',
    join(home, 'litellm_config.yaml'),
    join(home, 'litellm', 'config.yaml'),
    join(home, '.litellm', 'config.yaml'),
  ]
  return [
    { tool: '.env', path: join(home, '.env'), read: read(dotEnv) },
    { tool: 'Claude Code', path: join(claudeHome, 'settings.json'), read: readEnvBlock },
    { tool: 'Codex', path: join(codexHome, 'auth.json'), read: read(codex) },
    { tool: 'Codex', path: join(codexHome, 'config.toml'), read: read(codex) },
    { tool: 'Gemini CLI', path: join(home, '.gemini', '.env'), read: read(dotEnv) },
    ...['opencode.json', 'opencode.jsonc', 'config.json'].map((name) => ({
      tool: 'OpenCode',
      path: join(config, 'opencode', name),
      read: read(openCode),
    })),
    { tool: 'OpenCode', path: join(data, 'opencode', 'auth.json'), read: read(openCode) },
    {
      tool: 'Claude Code Router',
      path: join(home, '.claude-code-router', 'config.json'),
      read: read(claudeCodeRouter),
    },
    {
      tool: 'Claude Code Router',
      path: join(
        env.APPDATA || home,
        `${env.APPDATA ? '' : '.'}claude-code-router`,
        'config.sqlite',
      ),
      database: claudeCodeRouterDatabase,
    },
    {
      tool: 'cc-switch',
      path: join(home, '.cc-switch', 'cc-switch.db'),
      database: ccSwitchDatabase,
    },
    { tool: 'cc-switch', path: join(home, '.cc-switch', 'config.json'), read: read(ccSwitch) },
    ...liteLlmFiles
      .filter((path) => path !== '')
      .map((path) => ({ tool: 'LiteLLM', path, read: read(liteLlm) })),
    {
      tool: 'CLIProxyAPI',
      path: join(home, '.cli-proxy-api', 'config.yaml'),
      read: read(cliProxyApi),
    },
    {
      tool: 'Qwen Code',
      path: toolFile('qwen-code', 'settings'),
      read: readQwenCode,
    },
    {
      tool: 'Qwen Code',
      path: join(dirname(toolFile('qwen-code', 'settings')), '.env'),
      read: read(dotEnv),
    },
    ...['config', 'state'].map((file) => ({
      tool: 'Crush',
      path: toolFile('crush', file),
      read: readCrush,
    })),
    {
      tool: 'Goose',
      path: join(dirname(toolFile('goose', 'config')), 'secrets.yaml'),
      read: readGoose,
    },
    { tool: 'Continue', path: toolFile('continue', 'config'), read: readContinue },
    {
      tool: 'Continue',
      path: join(dirname(toolFile('continue', 'config')), '.env'),
      read: read(dotEnv),
    },
    { tool: 'llm', path: toolFile('llm', 'keys'), read: readLlm },
    { tool: 'Aider', path: join(home, '.aider.conf.yml'), read: read(aider) },
  ]
}
