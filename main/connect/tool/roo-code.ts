import { byHand, type Tool } from '../tool.ts'
import { extensionFolders } from '../vscode-user.ts'

/**
 * Its profiles are in the editor's secret storage. It ended on 2026-05-15; installed versions still
 * take keys of one's own. Read in https://github.com/RooCodeInc/Roo-Code (src/api/providers/openai.ts,
 * 3.52.1) and in docs/sunset.md of its documentation.
 */
export const rooCode: Tool = {
  ...byHand,
  id: 'roo-code',
  name: 'Roo Code',
  wireFormat: 'chat',
  needs: { tools: true, context: 64_000 },
  slots: [{ id: 'main', label: 'Model' }],
  installed: {
    commands: [],
    paths: (machine) => extensionFolders(machine, 'rooveterinaryinc.roo-cline'),
  },
  steps: ({ address, models: { main } }) => [
    {
      message:
        'Roo Code ended in May 2026 and gets no more updates; its makers recommend Cline. An installed one still works:',
      reason: { code: 'roo_ended' },
    },
    {
      message: 'Open its settings, then Providers. As API Provider choose `OpenAI Compatible`.',
      reason: { code: 'roo_provider' },
    },
    {
      message: `Enter the Base URL \`${address}/v1\`, the API key \`<token>\` and the model \`${main}\``,
      reason: { code: 'roo_fields', address, model: main },
    },
    {
      message:
        "A model name with o1, o3 or o4 in it gets requests for OpenAI's reasoning models: take another name.",
      reason: { code: 'roo_names' },
    },
  ],
  docsUrl: 'https://docs.roocode.com/providers/openai-compatible',
  readOn: '2026-11-23',
}
