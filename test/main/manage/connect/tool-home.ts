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
}

export interface ToolHome {
  path: string
  at(name: string): string
  /** Everything in it: bytes, modes, links. */
  snapshot(names?: readonly string[]): Record<string, string>
}

/** A home folder with the files of four tools; Claude Code's is a link to another folder. */
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
