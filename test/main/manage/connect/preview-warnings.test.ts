import { expect, test } from 'vitest'
import { preview, stageAt } from './connect-stage.ts'
import { toolHome } from './tool-home.ts'

test.each([
  ['claude-code', '.claude/settings.json', '{ "env": { "https_proxy": "http://proxy:1" } }'],
  ['qwen-code', '.qwen/settings.json', '{ "env": { "https_proxy": "http://proxy:1" } }'],
  ['gemini-cli', '.gemini/.env', 'https_proxy=http://proxy:1\n'],
])(
  '%s: a proxy in its own file that takes its calls is told before Apply',
  async (tool, path, text) => {
    const stage = await stageAt(toolHome({ [path]: text }))
    const { warnings } = await preview(stage, tool)
    const reason = { code: 'connect_proxy', name: 'HTTPS_PROXY', host: '127.0.0.1' }
    expect(warnings).toContainEqual(expect.objectContaining({ reason }))
  },
)
