import { z } from 'zod'
import type { ConnectRecord } from '../../connect/connect-record.ts'
import { sameValue } from '../../connect/format/key-path.ts'
import { modelAliases } from '../../connect/model-aliases.ts'
import { readRealFile } from '../../connect/real-file.ts'
import type { Tool } from '../../connect/tool.ts'
import { tools } from '../../connect/tools.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { connectFolder } from './chosen-connection.ts'

/** A made token that is left behind, and why it stays. */
export const leftToken = z.strictObject({
  id: z.int(),
  name: z.string(),
  kept: z
    .enum(['tool', 'file', 'renamed', 'calls'])
    .nullable()
    .describe(
      'null: it was removed. Otherwise it stays: another tool has it, its key stands in a file of the tool still, somebody renamed it, or several programs called with it.',
    ),
})

export type LeftToken = z.infer<typeof leftToken>

/** Newest calls looked at to see whether other programs use the token. */
const CALLS_LOOKED_AT = 500

/** `claude-cli/2.1.197 (external, cli)` → `claude-cli`. */
const programOf = (other: string): string => {
  const { client } = JSON.parse(other || '{}') as { client?: string }
  return /^[^/\s]*/.exec(client ?? '')?.[0] ?? ''
}

function hasSeveralCallers({ id }: Token, { ledger }: Pick<GatewayParts, 'ledger'>): boolean {
  const { items } = ledger.list({ tokenId: id }, { page: 1, pageSize: CALLS_LOOKED_AT })
  return new Set(items.map(({ other }) => programOf(other))).size > 1
}

function isInFile({ key }: Token, { files }: ConnectRecord): boolean {
  return files.some(({ path }) => {
    try {
      return key !== '' && (readRealFile(path).text ?? '').includes(key)
    } catch {
      return true
    }
  })
}

export interface TokenAccess {
  /** Models that the tool's own token may not use yet; Apply lets it. */
  adds: string[]
  /** Models that a token of others may not use: every call would be refused. */
  refuses: string[]
}

/** Was the token made for the tool's present connection? */
export const isToolsOwn = (token: Token | null, record: ConnectRecord | null): boolean =>
  token !== null && record?.tokenId === token.id && record.isTokenMade

export function tokenAccess(
  token: Token | null,
  models: readonly string[],
  record: ConnectRecord | null,
): TokenAccess {
  if (!token?.modelLimitsEnabled) return { adds: [], refuses: [] }
  const missing = models.filter((name) => !token.modelLimits.includes(name))
  return isToolsOwn(token, record) ? { adds: missing, refuses: [] } : { adds: [], refuses: missing }
}

type Parts = Pick<GatewayParts, 'tokens' | 'ledger' | 'dataFolder'>

/** A token's aliases once a tool has these models of it, and no more those of its earlier connection. */
export function aliasesWith(
  token: Token,
  tool: Tool,
  models: readonly string[],
  earlier: ConnectRecord | null,
  parts: Pick<Parts, 'dataFolder'>,
): Record<string, string> {
  const folder = connectFolder(parts)
  const left =
    earlier?.tokenId === token.id ? modelAliases(tool, Object.values(earlier.models)) : {}
  const kept = Object.entries(token.modelAliases).filter(([name]) => !Object.hasOwn(left, name))
  const others = tools.flatMap((one) => {
    const record = one.id === tool.id ? null : folder.read(one.id)
    return record?.tokenId === token.id ? [modelAliases(one, Object.values(record.models))] : []
  })
  return Object.assign(Object.fromEntries(kept), ...others, modelAliases(tool, models))
}

/**
 * Takes a connection's aliases from its token, once it has ended. Removes the token where it was made for it and
 * nothing else uses it. null: none was made, or it is gone already.
 */
export function releaseToken(tool: Tool, record: ConnectRecord, parts: Parts): LeftToken | null {
  const token = parts.tokens.byId(record.tokenId)
  if (!token) return null
  const left = aliasesWith(token, tool, [], record, parts)
  if (!sameValue(left, token.modelAliases)) parts.tokens.update(token.id, { modelAliases: left })
  if (!record.isTokenMade) return null
  const folder = connectFolder(parts)
  const isTools = tools.some(({ id }) => folder.read(id)?.tokenId === token.id)
  const kept = isTools
    ? 'tool'
    : isInFile(token, record)
      ? 'file'
      : token.name !== tool.name
        ? 'renamed'
        : hasSeveralCallers(token, parts)
          ? 'calls'
          : null
  if (kept === null) parts.tokens.remove([token.id])
  return { id: token.id, name: token.name, kept }
}
