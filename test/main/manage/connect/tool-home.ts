import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

const crlf = (text: string) => text.replaceAll('\n', '\r\n')

/** Files as people have them: comments, keys of others, CRLF, tabs, no final line end. */
export const people: Record<string, string> = {
  'dotfiles/claude.json': crlf(
    `{\n\t"permissions": { "allow": ["Bash"] },\n\t"env": {\n\t\t"ANTHROPIC_SMALL_FAST_MODEL": "old",\n\t\t"DISABLE_TELEMETRY": "1"\n\t},\n\t"cleanupPeriodDays": 30\n}`,
  ),
  '.codex/config.toml':
    '# mine\nmodel = "gpt-5-codex" # daily\nsandbox_mode = \'danger-full-access\'\n\n# about the server\n[mcp_servers.none]\ncommand = "true" # nothing\nenabled = false',
  '.gemini/settings.json': crlf(
    `{\n  // mine\n  "security": {\n    "folderTrust": { "enabled": false }, // I trust them\n  },\n  "tools": { "allowed": ["run_shell_command"] }\n}\n`,
  ).replace('}, //', '} //'),
  '.gemini/.env': '# mine\nNO_COLOR=1\n',
  '.config/opencode/opencode.jsonc': `{\n\t"$schema": "https://opencode.ai/config.json",\n\t// mine\n\t"share": "disabled", // never\n\t"permission": { "bash": "allow" },\n}\n`,
  '.config/kilo/kilo.jsonc': crlf(
    `{\n  "$schema": "https://app.kilo.ai/config.json",\n  // mine\n  "permission": { "bash": "allow" }, // all of it\n  "provider": {}\n}\n`,
  ),
  '.qwen/settings.json': `{\n\t"$version": 4,\n\t"general": { "disableAutoUpdate": true }, // never\n\t"tools": { "approvalMode": "yolo" },\n\t/* my own */\n\t"modelProviders": {\n\t\t"openai": [{ "id": "local", "envKey": "LOCAL_KEY", "baseUrl": "http://10.0.0.2/v1" }]\n\t}\n}`,
  '.config/crush/crush.json': crlf(
    `{\n\t"$schema": "https://charm.land/crush.json",\n\t"options": { "debug": false }\n}\n`,
  ),
  '.local/share/crush/crush.json':
    '{"models":{"large":{"model":"gpt-4o","provider":"openai"}},"recent_models":{}}',
  '.config/goose/config.yaml': crlf(
    `# mine\nGOOSE_PROVIDER: anthropic # daily\nGOOSE_MODEL: claude-opus-5\nextensions:\n  developer:\n    enabled: true # always\n    type: builtin\n`,
  ),
  '.aider.conf.yml': `# mine\nmodel: sonnet # daily\n\n## looks\ndark-mode: true\ngitignore: false`,
  '.continue/config.yaml': `name: Mine\nversion: 0.0.1\nschema: v1\n# models\nmodels:\n  - name: Local # at home\n    provider: ollama\n    model: qwen3\n\n# context\ncontext:\n  - provider: file\n`,
  '.config/zed/settings.json': crlf(
    `// Zed settings\n{\n  "theme": "One Dark", // dark\n  "agent": {\n    "default_model": { "provider": "zed.dev", "model": "claude-opus-5" },\n    // ask me\n    "always_allow_tool_actions": false,\n  },\n}\n`,
  ),
  '.cline/data/settings/providers.json': `{\n\t"version": 1,\n\t"lastUsedProvider": "anthropic",\n\t"modes": {},\n\t"providers": {\n\t\t"anthropic": {\n\t\t\t"settings": { "provider": "anthropic", "apiKey": "of-another" },\n\t\t\t"updatedAt": "2026-11-01T10:00:00.000Z",\n\t\t\t"tokenSource": "manual"\n\t\t}\n\t}\n}\n`,
  '.config/Code/User/chatLanguageModels.json': crlf(
    `[\n\t{\n\t\t"name": "Home", // the old machine\n\t\t"vendor": "ollama",\n\t\t"url": "http://10.0.0.2:11434"\n\t},\n]\n`,
  ),
  '.config/io.datasette.llm/extra-openai-models.yaml': `# mine\n- model_id: home # the old machine\n  model_name: qwen3\n  api_base: "http://10.0.0.2/v1"\n`,
  '.config/io.datasette.llm/keys.json': `{\n  "// Note": "This file stores secret API credentials. Do not share!",\n  "home": "of-another"\n}`,
}

export interface ToolHome {
  path: string
  at(name: string): string
  /** Everything in it: bytes, modes, links. */
  snapshot(names?: readonly string[]): Record<string, string>
}

/** A home folder with the files of every tool; Claude Code's is a link to another folder. */
export function toolHome(files: Record<string, string> = people): ToolHome {
  const path = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const at = (name: string) => join(path, name)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
    chmodSync(at(name), 0o640)
  }
  if (files['dotfiles/claude.json'] !== undefined) {
    mkdirSync(at('.claude'))
    symlinkSync('../dotfiles/claude.json', at('.claude/settings.json'))
  }
  const all = () =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
  return {
    path,
    at,
    snapshot: (names = all()) =>
      Object.fromEntries(
        [...names].sort().map((name) => {
          if (lstatSync(at(name)).isSymbolicLink())
            return [name, `link to ${readlinkSync(at(name))}`]
          const mode = (statSync(at(name)).mode & 0o777).toString(8)
          return [name, `${mode} ${readFileSync(at(name), 'latin1')}`]
        }),
      ),
  }
}
