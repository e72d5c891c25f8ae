import { quotedWord, type Shell, shellWord } from '../format/shell-word.ts'

export interface ConnectFacts {
  /** `http://127.0.0.1:4747` */
  baseUrl: string
  /** `sk-…` */
  key: string
  /** Models that the token may use; empty for all. */
  models: readonly string[]
  /** A guess from the browser's platform. */
  shell: Shell
}

export interface ClientTool {
  id: string
  name: string
  /** Key under `connect` in the dictionary. */
  note: 'usesMessages' | 'usesGenerateContent' | 'usesChat' | 'usesResponses'
  /** Name of the file that the text goes to; a terminal when absent. */
  place?: string
  command: (facts: ConnectFacts) => string
}

/**
 * It also calls a small model by itself, for titles and the like:
 * https://code.claude.com/docs/en/llm-gateway, https://code.claude.com/docs/en/model-config
 */
const claudeCode: ClientTool = {
  id: 'claude-code',
  name: 'Claude Code',
  note: 'usesMessages',
  command: (facts) =>
    [
      setVariable(facts, 'ANTHROPIC_BASE_URL', facts.baseUrl),
      setVariable(facts, 'ANTHROPIC_AUTH_TOKEN', facts.key),
      setVariable(facts, 'ANTHROPIC_MODEL', pickModel(facts, 'claude')),
      setVariable(facts, 'ANTHROPIC_DEFAULT_HAIKU_MODEL', pickModel(facts, 'haiku', 'claude')),
      'claude',
    ].join('\n'),
}

/** https://geminicli.com/docs/reference/configuration */
const geminiCli: ClientTool = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  note: 'usesGenerateContent',
  command: (facts) =>
    [
      setVariable(facts, 'GOOGLE_GEMINI_BASE_URL', facts.baseUrl),
      setVariable(facts, 'GEMINI_API_KEY', facts.key),
      `gemini --model ${shellWord(pickModel(facts, 'gemini'), facts.shell)}`,
    ].join('\n'),
}

/** https://opencode.ai/docs/providers */
const openCode: ClientTool = {
  id: 'opencode',
  name: 'OpenCode',
  note: 'usesChat',
  place: 'opencode.json',
  command: ({ baseUrl, key, models }) =>
    JSON.stringify(
      {
        $schema: 'https://opencode.ai/config.json',
        provider: {
          switchyard: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Switchyard',
            options: { baseURL: `${baseUrl}/v1`, apiKey: key },
            models: Object.fromEntries(
              models.slice(0, mostModels).map((model) => [model, { name: model }]),
            ),
          },
        },
      },
      null,
      2,
    ),
}

/** https://platform.openai.com/docs/api-reference/chat/create */
const curl: ClientTool = {
  id: 'curl',
  name: 'cURL',
  note: 'usesChat',
  command(facts) {
    const body = JSON.stringify({
      model: pickModel(facts, ''),
      messages: [{ role: 'user', content: 'Hello' }],
    })
    const [program, next] = facts.shell === 'posix' ? ['curl', ' \\'] : ['curl.exe', ' `']
    return [
      `${program} ${facts.baseUrl}/v1/chat/completions${next}`,
      `  -H "Authorization: Bearer ${facts.key}"${next}`,
      `  -H "Content-Type: application/json"${next}`,
      `  -d ${quotedWord(body, facts.shell)}`,
    ].join('\n')
  },
}

/**
 * A provider of its own, given on the command line so that the user's configuration stays as it is. Codex
 * takes a value that isn't TOML as text, so no shell quotes are needed:
 * https://developers.openai.com/codex/config-advanced
 */
const codex: ClientTool = {
  id: 'codex',
  name: 'Codex',
  note: 'usesResponses',
  command: (facts) => {
    const next = facts.shell === 'posix' ? ' \\' : ' `'
    const provider = '-c model_providers.switchyard'
    const model = shellWord(pickModel(facts, 'codex', 'gpt'), facts.shell)
    return [
      setVariable(facts, 'SWITCHYARD_TOKEN', facts.key),
      `codex -m ${model} -c model_provider=switchyard${next}`,
      `  ${provider}.name=Switchyard${next}`,
      `  ${provider}.wire_api=responses${next}`,
      `  ${provider}.base_url=${facts.baseUrl}/v1${next}`,
      `  ${provider}.env_key=SWITCHYARD_TOKEN`,
    ].join('\n')
  },
}

/** In the order of the tabs. */
export const clientTools: readonly ClientTool[] = [claudeCode, codex, geminiCli, openCode, curl]

const mostModels = 20

function setVariable({ shell }: ConnectFacts, name: string, value: string): string {
  const isPlain = shellWord(value, shell) === value
  const quoted = isPlain ? `"${value}"` : quotedWord(value, shell)
  return shell === 'posix' ? `export ${name}=${quoted}` : `$env:${name} = ${quoted}`
}

/** The first model of the first family that has one, else the first of all; none that a program takes for an option. */
function pickModel(facts: ConnectFacts, ...families: readonly string[]): string {
  const models = facts.models.filter((model) => !model.startsWith('-'))
  const family = families.find((name) => models.some((model) => model.includes(name))) ?? ''
  return models.find((model) => model.includes(family)) ?? 'MODEL'
}
