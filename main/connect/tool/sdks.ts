import { byHand, type Tool } from '../tool.ts'

/**
 * The official SDKs read these in every language that has them. Read in openai 6.49.0,
 * @anthropic-ai/sdk 1.11.0 and @google/genai 2.32.0, and in the Python packages' sources.
 */
export const sdks: Tool = {
  ...byHand,
  id: 'sdks',
  name: 'OpenAI, Anthropic and Google SDKs',
  wireFormat: 'chat',
  needs: { tools: false, context: null },
  slots: [{ id: 'main', label: 'Model' }],
  // A library is found by no file.
  installed: { commands: [], paths: () => [] },
  environment: ({ address, token }) => ({
    OPENAI_BASE_URL: `${address}/v1`,
    OPENAI_API_KEY: token,
    ANTHROPIC_BASE_URL: address,
    // With ANTHROPIC_AUTH_TOKEN beside it both would be sent.
    ANTHROPIC_API_KEY: token,
    GOOGLE_GEMINI_BASE_URL: address,
    // GOOGLE_API_KEY would win over it.
    GEMINI_API_KEY: token,
  }),
  steps: () => [
    {
      message:
        'Set the lines of the SDK that you use. Other programs that are started from the same shell read them too.',
      reason: { code: 'sdk_lines' },
    },
    {
      message:
        'Unset `ANTHROPIC_AUTH_TOKEN`, `GOOGLE_API_KEY` and `GOOGLE_GENAI_USE_VERTEXAI` if they are set: they take precedence.',
      reason: { code: 'sdk_unset' },
    },
    {
      message:
        'The program itself names the model. An address or key that it sets in its code beats these variables.',
      reason: { code: 'sdk_model' },
    },
  ],
  docsUrl: 'https://platform.openai.com/docs/libraries',
  readOn: '2026-11-23',
}
