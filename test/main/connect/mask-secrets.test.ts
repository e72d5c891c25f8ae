import { describe, expect, test } from 'vitest'
import { maskSecrets } from '../../../main/connect/mask-secrets.ts'

/** Text of a file, and the part of it that nobody may read. */
const secrets: [string, string, string][] = [
  [
    'a GitHub token in env',
    '{ "env": { "GITHUB_PAT": "§ghp_16C7e42F292c6912E7710c838347Ae178B4a§" } }',
    '',
  ],
  ['the same under any name', '{ "x": "§gho_16C7e42F292c6912E7710c838347Ae178B4a§" }', ''],
  ['a fine-grained one', '"x": "§github_pat_11ABCDEFG0aBcDeFgHiJkL_mnopqrstuvwxyz§"', ''],
  ['an argument after its flag', '"args": ["--api-key", "§hunter22§", "--verbose"]', '--verbose'],
  ['over lines', '"args": [\n\t"--token",\n\t"§hunter22§"\n]', '--token'],
  ['in a list of YAML', 'args:\n  - --password\n  - §hunter22§\n  - run', 'run'],
  ['in one word', 'command = "x --secret=§hunter22§ run"', 'command'],
  ['an Anthropic key', '["x", "§sk-ant-api03-abcdef0123456789§"]', ''],
  ['a key in an address', '{ "url": "https://x.test/sse?a=1&key=§hunter22§&b=2" }', '&b=2'],
  ['a token in an address', 'url: https://x.test/sse?access_token=§hunter22§ # mine', '# mine'],
  ['a password in an address', 'DB=postgres://ada:§hunter22§@db.test:5432/x', '@db.test:5432/x'],
  ['a password by its short name', 'export MY_PASS=§hunter22§ # mine', '# mine'],
  ['one with a # and spaces', 'password: §hunt#22, and so§ # mine', '# mine'],
  ['one in a quoted argument', '"args": ["-e", "MY_PASSWD=§hunter22§", "run"]', 'run'],
  ['a bearer in any header', '"headers": { "X-Forward": "Bearer §hunter22hunter§" }', 'Bearer'],
  ['a basic one', "headers = { X-Auth = 'Basic §YWRhOmh1bnRlcjIy§' }", 'Basic'],
  ['a cookie', '"Cookie": "§session=abcdef§"', ''],
  ['Slack', 'a: §xoxb-123456789012-abcdefABCDEF§', ''],
  ['Google', 'a = "§AIzaSyA1234567890abcdefghijklmnopqrstu§"', ''],
  ['AWS', 'a = "§AKIAIOSFODNN7EXAMPLE§"', ''],
  [
    'a JSON Web Token',
    'a: §eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0§',
    '',
  ],
  ['long random words', 'a: "§f7Kq29dLmZ81xTbQw4Rv6Yc3§"', ''],
  ['long hexadecimal ones', 'a: "§9f86d081884c7d659a2feaa0c55ad015§"', ''],
  ['UUIDs', 'a: "§3f2504e0-4f89-41d3-9a0c-0305e82c3301§"', ''],
  [
    'a private key',
    '"k": "-----BEGIN PRIVATE KEY-----\\n§MIIEvQIBADANBg\\nkqhkiG§\\n-----END PRIVATE KEY-----"',
    '',
  ],
]

describe('no secret is shown:', () => {
  test.each(secrets)('%s', (_name, marked, kept) => {
    const secret = /§([\s\S]*)§/.exec(marked)?.[1] ?? ''
    const shown = maskSecrets(marked.replaceAll('§', ''))
    for (const part of secret.split(/[\s#,]+|\\n/)) expect(shown).not.toContain(part)
    expect(shown).toContain('…')
    expect(shown).toContain(kept)
    // The layout stays, or the diff would show other lines.
    expect(shown.split('\n').length).toBe(marked.split('\n').length)
  })
})

test.each([
  '"model": "claude-opus-4-5-20251101"',
  '"model": "openrouter/anthropic/claude-3.7-sonnet-20250219:thinking"',
  '"CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY": "1"',
  '"ANTHROPIC_BASE_URL": "http://127.0.0.1:4747"',
  '"maxTokens": 8192, "sandbox": true',
  'path = "/home/ada/projects/some-long-project-name-2/node_modules/.bin/server"',
  '"$schema": "https://charm.land/crush.json?v=2"',
  '"args": ["-y", "@modelcontextprotocol/server-filesystem@2025.8.21"]',
  '# how to: https://example.test/docs/configuration#authentication',
  'path: auth/x',
  '"auth": {\n  "selectedType": "gemini-api-key"\n}\n',
  '"selectedType": "oauth-personal", "auth": { "pattern": "x" }',
  '"keybindings": { "ctrl+shift+p": "commandPalette.toggleVisibility" }',
])('what is no secret stays: %s', (text) => {
  expect(maskSecrets(text)).toBe(text)
})

test('of several keys in one file each is masked', () => {
  const keys = ['sk-first-12345678', 'ghp_second12345678', 'sk-third-12345678']
  const shown = maskSecrets(`models:\n  a: ${keys[0]}\n  b: [${keys[1]}, ${keys[2]}]\n`)
  for (const key of keys) expect(shown).not.toContain(key)
})

test('two secrets stay different, so that the diff shows a change', () => {
  const shown = ['f7Kq29dLmZ81xTbQw4Rv6Yc3', 'f7Kq29dLmZ81xTbQw4Rv6Yc4'].map((secret) =>
    maskSecrets(`{ "apiKey": "${secret}" }`),
  )
  expect(shown[0]).not.toBe(shown[1])
})
