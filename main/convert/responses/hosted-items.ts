import type { HostedTool } from '../exchange.ts'

/** How types of tools and of their items begin; the first that fits counts. */
const beginnings: readonly [string, HostedTool][] = [
  ['web_search', 'web-search'],
  ['file_search', 'file-search'],
  ['code_interpreter', 'code-execution'],
  ['image_generation', 'image-generation'],
  ['computer', 'computer'],
  ['mcp', 'mcp'],
  ['tool_search', 'tool-search'],
  ['local_shell', 'local-shell'],
  ['shell', 'shell'],
  ['apply_patch', 'apply-patch'],
]

const hostedItems = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'computer_call',
  'computer_call_output',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'tool_search_call',
  'tool_search_output',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
])

/** Those of them that a client writes. */
const clientItems = new Set(['computer_call_output', 'mcp_approval_response'])

/** The tool that a type of a definition, of an item or of a tool choice stands for. */
export const hostedToolOf = (type: string): HostedTool =>
  beginnings.find(([beginning]) => type.startsWith(beginning))?.[1] ?? 'other'

export const isHostedItem = (type: string): boolean => hostedItems.has(type)

export const isClientItem = (type: string): boolean => clientItems.has(type)
