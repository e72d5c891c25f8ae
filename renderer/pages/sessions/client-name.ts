import type { AgentSession } from '../../gateway/records.ts'

const names: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
}

/** First words of User-Agents that aren't the client's own name. */
const agents: ReadonlyMap<string, string> = new Map([
  ['GeminiCLI-tui', 'Gemini CLI'],
  ['GeminiCLI', 'Gemini CLI'],
  ['QwenCode', 'Qwen Code'],
  ['copilot-cli', 'Copilot CLI'],
])

/** The client of a session: by its id, else by the first word of its User-Agent. */
export function clientName({ id, client }: Pick<AgentSession, 'id' | 'client'>): string {
  const known = names[id.slice(0, id.indexOf(':'))]
  const word = client.split(/[/\s(]/)[0] || '–'
  return known ?? agents.get(word) ?? word
}
