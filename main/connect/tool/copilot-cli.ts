import { join } from 'node:path'
import { byHand, type Tool } from '../tool.ts'

/** Without it, its calls have the User-Agent of OpenAI's SDK. */
const USER_AGENT = 'copilot-cli'

/**
 * It takes another provider from its environment alone, and then needs no account at GitHub. Read in
 * `copilot help providers` and `copilot help environment` of 1.0.102, and run with it.
 */
export const copilotCli: Tool = {
  ...byHand,
  id: 'copilot-cli',
  name: 'Copilot CLI',
  wireFormat: 'responses',
  needs: { tools: true, context: 128_000 },
  userAgents: [USER_AGENT],
  slots: [{ id: 'main', label: 'Model' }],
  installed: {
    commands: ['copilot'],
    paths: ({ env, home }) => [env.COPILOT_HOME || join(home, '.copilot')],
  },
  environment: ({ address, token, models: { main } }) => ({
    COPILOT_PROVIDER_BASE_URL: `${address}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    // With `completions` it asks for no reasoning, and for a temperature of 0.
    COPILOT_PROVIDER_WIRE_API: 'responses',
    COPILOT_PROVIDER_API_KEY: token,
    COPILOT_PROVIDER_HEADERS: `User-Agent: ${USER_AGENT}`,
    COPILOT_MODEL: main,
  }),
  steps: () => [
    {
      message:
        'Run these lines in the shell that starts `copilot`, or add them to its profile to keep them.',
      reason: { code: 'copilot_lines' },
    },
    {
      message:
        'Unset `COPILOT_PROVIDER_BEARER_TOKEN` and `COPILOT_PROVIDER_API_KEY_COMMAND` if they are set: they take precedence.',
      reason: { code: 'copilot_unset' },
    },
    {
      message:
        'For a model that it does not know, set `COPILOT_PROVIDER_MAX_PROMPT_TOKENS` and `COPILOT_PROVIDER_MAX_OUTPUT_TOKENS` too: without them it assumes small limits.',
      reason: { code: 'copilot_limits' },
    },
  ],
  firstCall: 'copilot -p "Say hi"',
  docsUrl: 'https://docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/use-byok-models',
  readOn: '2026-11-28',
}
