import type { HostedTool, HostedToolDefinition } from '../exchange.ts'
import { asArray, asObject, asString } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'
import type { ModelRules } from '../model/model-rules.ts'
import { noteLostOptions } from '../tools/hosted-options.ts'

/** How names of Anthropic's tools begin; the first that fits counts. */
const beginnings: readonly [string, HostedTool][] = [
  ['web_search', 'web-search'],
  ['web_fetch', 'web-fetch'],
  ['code_execution', 'code-execution'],
  ['bash_code_execution', 'code-execution'],
  ['text_editor_code_execution', 'code-execution'],
  ['tool_search', 'tool-search'],
  ['text_editor', 'text-editor'],
  ['bash', 'bash'],
  ['computer', 'computer'],
  ['browser_toolset', 'computer'],
  ['memory', 'memory'],
  ['mcp', 'mcp'],
]

/** The tool that a type (`web_search_20250305`, `web_search_tool_result`) or a name stands for. */
export function hostedToolOf(name: string): HostedTool {
  return beginnings.find(([beginning]) => name.startsWith(beginning))?.[1] ?? 'other'
}

/**
 * The oldest version of each server tool: every model that has the tool takes it, and it needs no beta
 * header (https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview).
 */
const serverTools: Readonly<Partial<Record<HostedTool, { type: string; name: string }>>> = {
  'web-search': { type: 'web_search_20250305', name: 'web_search' },
  'web-fetch': { type: 'web_fetch_20250910', name: 'web_fetch' },
  'code-execution': { type: 'code_execution_20250825', name: 'code_execution' },
}

const searchWords = [
  ...['allowed_domains', 'allowedDomains', 'blocked_domains', 'excludeDomains', 'exclude_domains'],
  'user_location',
]

/** The parts of another vendor's web search that have a word here: domains and the user's place. */
function searchOptions(value: Record<string, unknown>): Record<string, unknown> {
  const filters = asObject(value.filters) ?? value
  const allowed = asArray(filters.allowed_domains ?? filters.allowedDomains)
  const blocked = asArray(
    filters.blocked_domains ?? filters.excludeDomains ?? filters.exclude_domains,
  )
  const location = asObject(value.user_location)
  const place = asObject(location?.approximate) ?? location
  const words = ['city', 'country', 'region', 'timezone'].flatMap((name) => {
    const word = asString(place?.[name])
    return word === undefined || word === '' ? [] : [[name, word] as const]
  })
  return {
    // The vendor takes one of the two lists.
    ...(allowed.length > 0
      ? { allowed_domains: allowed }
      : blocked.length > 0
        ? { blocked_domains: blocked }
        : {}),
    ...(words.length > 0
      ? { user_location: { type: 'approximate', ...Object.fromEntries(words) } }
      : {}),
  }
}

/** A hosted tool as Anthropic defines it; null, and noted, where it has none. */
export function encodeHostedTool(
  tool: HostedToolDefinition,
  rules: ModelRules,
  loss: Loss,
): Record<string, unknown> | null {
  if (tool.origin === 'messages') return tool.value
  const at = tool.at ?? loss.field('tools')
  const server = serverTools[tool.tool]
  if (server && rules.hostedTools.includes(tool.tool)) {
    noteLostOptions(tool, tool.tool === 'web-search' ? searchWords : [], loss)
    return tool.tool === 'web-search' ? { ...server, ...searchOptions(tool.value) } : server
  }
  loss.drop(at, 'no_such_tool')
  return null
}

/** A hosted tool's name in a tool choice, and in its calls. */
export function hostedToolName(tool: HostedToolDefinition): string | undefined {
  if (tool.origin === 'messages') return asString(tool.value.name)
  return serverTools[tool.tool]?.name
}
