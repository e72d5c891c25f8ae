import { posixText, powershellText } from '../base/text/shell-text.ts'
import { editText } from './format/edit-text.ts'
import type { Connection, Machine, Tool } from './tool.ts'

export interface Snippet {
  shell: 'bash' | 'zsh' | 'fish' | 'powershell' | 'file'
  /** Path of the file; null for a command. */
  path: string | null
  text: string
}

const shells = {
  bash: (name: string, value: string) => `export ${name}=${posixText(value)}`,
  zsh: (name: string, value: string) => `export ${name}=${posixText(value)}`,
  fish: (name: string, value: string) =>
    `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  powershell: (name: string, value: string) => `$env:${name} = ${powershellText(value)}`,
}

/** Texts to paste where the file isn't edited here: its keys in a file of their own, variables. */
export function snippets(tool: Tool, connection: Connection, machine: Machine): Snippet[] {
  const edits = tool.edits(connection, machine)
  const files = tool.files(machine).flatMap((file): Snippet[] => {
    const own = edits.filter((edit) => edit.file === file.id)
    if (own.length === 0) return []
    return [{ shell: 'file', path: file.path, text: editText(file.format, '', own) }]
  })
  const variables = Object.entries(tool.environment?.(connection) ?? {})
  const texts = Object.entries(shells).map(([shell, line]) => ({
    shell: shell as keyof typeof shells,
    path: null,
    text: variables.map(([name, value]) => line(name, value)).join('\n'),
  }))
  return [...files, ...(variables.length > 0 ? texts : [])]
}
