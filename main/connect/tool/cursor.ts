import { join } from 'node:path'
import { byHand, type Tool } from '../tool.ts'
import { vscodeUser } from '../vscode-user.ts'

/**
 * It keeps the address and the key in its own database, and its servers make the calls. Read in
 * https://cursor.com/help/models-and-usage/api-keys and https://forum.cursor.com/t/160995.
 */
export const cursor: Tool = {
  ...byHand,
  id: 'cursor',
  name: 'Cursor',
  wireFormat: 'chat',
  needs: { tools: true, context: 64_000 },
  slots: [{ id: 'main', label: 'Model' }],
  installed: {
    commands: ['cursor'],
    paths: (machine) => [
      vscodeUser(machine, 'Cursor'),
      ...(machine.platform === 'darwin'
        ? ['/Applications/Cursor.app', join(machine.home, 'Applications', 'Cursor.app')]
        : []),
    ],
  },
  steps: ({ address, models: { main } }) => [
    {
      message: `Calls come from Cursor's servers, not from this machine, so \`${address}\` doesn't work there. Give the gateway a public https address (a tunnel or a reverse proxy) and add its name to the option \`AllowedHosts\`.`,
      reason: { code: 'cursor_address', address },
    },
    {
      message:
        'In Cursor Settings, open Models, then API Keys. Turn on OpenAI API Key and paste `<token>`',
      reason: { code: 'cursor_key' },
    },
    {
      message:
        'Turn on Override OpenAI Base URL and enter your public address with `/v1` at its end.',
      reason: { code: 'cursor_base_url' },
    },
    {
      message: `Add the model \`${main}\` and switch it on. A name with gpt, claude or gemini in it may get requests in another format: if calls fail, give the model another name in the channel.`,
      reason: { code: 'cursor_model', model: main },
    },
  ],
  docsUrl: 'https://cursor.com/help/models-and-usage/api-keys',
  readOn: '2026-11-23',
}
