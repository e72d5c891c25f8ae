import { join } from 'node:path'
import type { Machine, Tool } from '../tool.ts'

/** `GEMINI_CLI_HOME` stands for the home folder. */
const folder = ({ env, home }: Machine) => join(env.GEMINI_CLI_HOME || home, '.gemini')

/**
 * Its address exists only as a variable, which may stand in its own `.env`. Read in the bundle of
 * 0.61.0 (findEnvFile, validateAuthMethod) and in docs/reference/configuration.md of
 * https://github.com/google-gemini/gemini-cli.
 */
export const geminiCli: Tool = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  kind: 'file',
  wireFormat: 'generate-content',
  needs: { tools: true, context: 64_000 },
  userAgents: ['GeminiCLI'],
  slots: [{ id: 'main', label: 'Model' }],
  installed: { commands: ['gemini'], paths: (machine) => [folder(machine)] },
  files: (machine) => [
    { id: 'settings', path: join(folder(machine), 'settings.json'), format: 'jsonc' },
    { id: 'env', path: join(folder(machine), '.env'), format: 'dotenv' },
  ],
  edits: ({ address, token, models }) => [
    { file: 'settings', path: ['security', 'auth', 'selectedType'], value: 'gemini-api-key' },
    { file: 'settings', path: ['model', 'name'], value: models.main },
    // Any .env of a project or above it would hide ours.
    { file: 'settings', path: ['advanced', 'ignoreLocalEnv'], value: true },
    { file: 'env', path: ['GOOGLE_GEMINI_BASE_URL'], value: address },
    { file: 'env', path: ['GEMINI_API_KEY'], value: token },
    // It would beat the model in settings.json.
    { file: 'env', path: ['GEMINI_MODEL'], value: '', isReplacement: true },
  ],
  pointsTo: (read) => {
    const url = read('env', ['GOOGLE_GEMINI_BASE_URL'])
    return typeof url === 'string' && url !== '' ? url : null
  },
  variables: (read) => read('env', []),
  overriddenBy: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY', 'GEMINI_MODEL'],
  warnings: (read) =>
    read('settings', ['security', 'folderTrust', 'enabled']) === false
      ? []
      : [
          {
            message:
              'Gemini CLI reads its .env only in folders that you trust. It asks once in each.',
            reason: { code: 'gemini_trust' },
          },
        ],
  environment: ({ address, token, models }) => ({
    GOOGLE_GEMINI_BASE_URL: address,
    GEMINI_API_KEY: token,
    GEMINI_MODEL: models.main,
  }),
  firstCall: 'gemini -p "Say hi"',
  docsUrl: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md',
  readOn: '2026-11-23',
}
