import { PNG } from '../strict/requests/refused-by.ts'

export const geminiCliHeaders = {
  'user-agent': 'GeminiCLI/0.30.0/gemini-3-pro-preview (linux; x64)',
  'x-goog-api-client': 'google-genai-sdk/1.30.0 gl-node/v22.20.0',
}

const frame = {
  systemInstruction: {
    role: 'user',
    parts: [{ text: 'You are an interactive CLI agent.\n\n# Core Mandates\nBe careful.' }],
  },
  tools: [
    {
      functionDeclarations: [
        {
          name: 'read_file',
          description: 'Reads a file.',
          parametersJsonSchema: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: {
              absolute_path: { type: 'string', description: 'The path.' },
              offset: { type: 'number' },
            },
            required: ['absolute_path'],
          },
        },
        {
          name: 'run_shell_command',
          description: 'Runs a command.',
          parametersJsonSchema: {
            type: 'object',
            properties: { command: { type: 'string' }, is_background: { type: 'boolean' } },
            required: ['command'],
            additionalProperties: false,
          },
        },
        { name: 'list_all', description: 'No arguments.' },
        {
          name: 'mcp_server.tool:with-odd_name',
          description: 'A tool of an MCP server.',
          parametersJsonSchema: {
            type: 'object',
            properties: { when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] } },
          },
        },
      ],
    },
  ],
  toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
  },
}

const question = { role: 'user', parts: [{ text: 'What is in @a.png?' }] }

export const geminiCliFirst = () => ({
  ...frame,
  contents: [
    {
      role: 'user',
      parts: [{ text: 'This is the Gemini CLI. Today is 21 November 2026.' }, ...question.parts],
    },
  ],
})

/** A later call: signatures of the real Gemini, two responses without ids, a picture in one. */
export const geminiCliLater = () => ({
  ...frame,
  contents: [
    question,
    {
      role: 'model',
      parts: [
        { text: 'I read the file.', thought: true },
        { text: 'I read it.' },
        {
          functionCall: { name: 'read_file', args: { absolute_path: '/a.png' } },
          thoughtSignature: 'Cs4BAVSoXO6Foreign',
        },
        { functionCall: { name: 'read_file', args: { absolute_path: '/b.png' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            name: 'read_file',
            response: { output: 'Binary content provided.' },
            parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
          },
        },
        { functionResponse: { name: 'read_file', response: { error: 'File not found: /b.png' } } },
      ],
    },
  ],
})

/** A side task: JSON by schema, no stream. */
export const geminiCliSchema = () => ({
  systemInstruction: frame.systemInstruction,
  contents: [
    question,
    { role: 'model', parts: [{ text: 'A cat.' }] },
    { role: 'user', parts: [{ text: 'Who speaks next?' }] },
  ],
  generationConfig: {
    temperature: 0,
    topP: 1,
    responseMimeType: 'application/json',
    responseJsonSchema: {
      type: 'object',
      properties: {
        reasoning: { type: 'string' },
        next_speaker: { type: 'string', enum: ['user', 'model'] },
      },
      required: ['reasoning', 'next_speaker'],
    },
  },
})
