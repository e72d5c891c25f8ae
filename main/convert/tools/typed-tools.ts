import type { HostedToolDefinition } from '../exchange.ts'
import { asString } from '../json/json-value.ts'

/** A tool that its vendor defines and the client runs, as a plain function. */
export interface PlainFunction {
  name: string
  description: string
  schema: Record<string, unknown>
}

const text = (description: string) => ({ type: 'string', description })
const count = (description: string) => ({ type: 'integer', description })
const lines = {
  type: 'array',
  items: { type: 'integer' },
  description: 'First and last line to show, counted from 1; -1 as the last stands for the end.',
}

const closed = (properties: Record<string, unknown>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const fileEdits = {
  path: text('Path of the file or folder.'),
  file_text: text('Whole content of the new file (create).'),
  old_str: text('Text to replace; it must be there exactly once (str_replace).'),
  insert_line: count('Line behind which to insert, 0 for the beginning (insert).'),
  view_range: lines,
}

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/text-editor-tool */
function textEditor(type: string, value: Record<string, unknown>): PlainFunction {
  const isOld = /_(?:20241022|20250124)$/.test(type)
  const commands = ['view', 'create', 'str_replace', 'insert', ...(isOld ? ['undo_edit'] : [])]
  const most = value.max_characters
  const limit = typeof most === 'number' ? ` It shows ${most} characters of a file at most.` : ''
  return {
    name: asString(value.name) ?? 'str_replace_based_edit_tool',
    description: `Views, creates and edits text files on the user's machine.${limit}`,
    schema: closed(
      {
        command: { type: 'string', enum: commands },
        ...fileEdits,
        new_str: text(`Text to put in (str_replace${isOld ? ', insert' : ''}).`),
        ...(isOld ? {} : { insert_text: text('Text to insert (insert).') }),
      },
      ['command', 'path'],
    ),
  }
}

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/memory-tool */
const memory: PlainFunction = {
  name: 'memory',
  description:
    'Keeps notes in files under /memories that last beyond this conversation. Look there before a task.',
  schema: closed(
    {
      command: {
        type: 'string',
        enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
      },
      ...fileEdits,
      new_str: text('Text to put in (str_replace).'),
      insert_text: text('Text to insert (insert).'),
      old_path: text('Path of what to rename (rename).'),
      new_path: text('Its new path (rename).'),
    },
    ['command'],
  ),
}

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/bash-tool */
const bash: PlainFunction = {
  name: 'bash',
  description: "Runs a command in a lasting bash session on the user's machine.",
  schema: closed(
    {
      command: text('Command to run; needed unless the session is restarted.'),
      restart: { type: 'boolean', description: 'Begin a new session.' },
    },
    [],
  ),
}

/**
 * The function that stands for a tool which Anthropic defines and the client runs, under the name that its
 * calls have; undefined for any other. OpenAI's own such tools are functions already when they are decoded.
 */
export function plainFunction({
  tool,
  origin,
  value,
}: HostedToolDefinition): PlainFunction | undefined {
  if (origin !== 'messages') return undefined
  if (tool === 'text-editor') return textEditor(asString(value.type) ?? '', value)
  const plain = tool === 'bash' ? bash : tool === 'memory' ? memory : undefined
  return plain && { ...plain, name: asString(value.name) ?? plain.name }
}
