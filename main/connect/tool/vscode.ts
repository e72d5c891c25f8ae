import { join } from 'node:path'
import type { Machine, Tool } from '../tool.ts'
import { vscodeUser } from '../vscode-user.ts'

/** Insiders where there is no other. */
function folder(machine: Machine): string {
  const [stable, insiders] = [vscodeUser(machine), vscodeUser(machine, 'Code - Insiders')]
  return machine.exists(insiders) && !machine.exists(stable) ? insiders : stable
}

const NAME = 'Switchyard'
const GROUP = { entry: { vendor: 'customendpoint', name: NAME } }

/** It wants both limits, which together stay within the window. */
const usual = { context: 128_000, output: 8192 }

/**
 * A group of the vendor "Custom Endpoint", in stable versions since 1.122. The key is entered in the
 * editor: a plain `apiKey` in the file is taken for the name of a secret, and nothing is sent. Read
 * in docs/agent-customization/language-models.md of https://github.com/microsoft/vscode-docs and in
 * extensions/copilot/src/extension/byok of https://github.com/microsoft/vscode.
 */
export const vscode: Tool = {
  id: 'vscode',
  name: 'VS Code',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, context: 64_000 },
  slots: [{ id: 'main', label: 'Model' }],
  installed: {
    commands: ['code', 'code-insiders'],
    paths: (machine) => [folder(machine)],
  },
  files: (machine) => [
    { id: 'models', path: join(folder(machine), 'chatLanguageModels.json'), format: 'jsonc' },
  ],
  edits: ({ address, models: { main }, facts }) => {
    const known = facts(main)
    const context = known.context ?? usual.context
    const output = Math.min(known.output ?? usual.output, Math.floor(context / 2))
    const model = {
      ...{ id: main, name: main, url: `${address}/v1/chat/completions` },
      ...{ toolCalling: true, vision: known.images ?? true },
      ...{ maxInputTokens: context - output, maxOutputTokens: output },
    }
    return [
      { file: 'models', path: [GROUP], value: { apiType: 'chat-completions', models: [model] } },
    ]
  },
  pointsTo: (read) => {
    const models = read('models', [GROUP, 'models'])
    const first = Array.isArray(models) ? models[0] : undefined
    const url =
      typeof first === 'object' && first !== null && !Array.isArray(first) ? first.url : undefined
    return typeof url === 'string' ? url : null
  },
  steps: ({ models: { main } }) => [
    {
      message: `In the command palette, run \`Chat: Manage Language Models\`. At \`${NAME}\`, choose Update API Key and paste \`<token>\``,
      reason: { code: 'vscode_key', name: NAME },
    },
    {
      message: `In the chat's list of models, choose \`${main}\`.`,
      reason: { code: 'vscode_model', model: main },
    },
  ],
  docsUrl: 'https://code.visualstudio.com/docs/agent-customization/language-models',
  readOn: '2026-11-23',
}
