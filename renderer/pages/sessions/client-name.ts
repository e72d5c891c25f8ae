import type { AgentSession } from '../../gateway/records.ts'

const names: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
}

/** The client of a session: by its id, else by the first word of its User-Agent. */
export function clientName({ id, client }: Pick<AgentSession, 'id' | 'client'>): string {
  const known = names[id.slice(0, id.indexOf(':'))]
  return known ?? (client.split(/[/\s(]/)[0] || '–')
}
