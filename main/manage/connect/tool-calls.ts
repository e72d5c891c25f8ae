import { z } from 'zod'
import type { ConnectRecord } from '../../connect/connect-record.ts'
import type { Tool } from '../../connect/tool.ts'
import { isModelCall } from '../../store/ledger/call-row.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { GatewayParts } from '../gateway-parts.ts'

export const failedCall = z
  .strictObject({
    request_id: z.string(),
    at: z.int().describe('Unix seconds.'),
    code: z.string().nullable(),
    message: z.string(),
  })
  .describe("The tool's newest call since it was connected, where that failed; null otherwise.")

export interface ToolCalls {
  /** Unix seconds of the newest call that succeeded; null while none has. */
  lastCallAt: number | null
  failed: z.infer<typeof failedCall> | null
}

/** Of the newest calls, enough to find the tool's own among those of others with the same token. */
const CALLS_LOOKED_AT = 50

interface OtherFacts {
  client?: string
  error_code?: string
}

const factsOf = ({ other }: StoredCall): OtherFacts => JSON.parse(other || '{}') as OtherFacts

const isSuccess = ({ type, status }: StoredCall) => type === 2 && status < 400

/** The tool's calls since it was connected; those of other programs with its token are none. */
export function toolCalls(
  { userAgents }: Pick<Tool, 'userAgents'>,
  { tokenId, connectedAt }: ConnectRecord,
  { ledger }: Pick<GatewayParts, 'ledger'>,
): ToolCalls {
  const filter = { tokenId, start: connectedAt }
  const { items } = ledger.list(filter, { page: 1, pageSize: CALLS_LOOKED_AT })
  const own = items.filter(
    (row) =>
      isModelCall(row) &&
      (userAgents?.some((name) => factsOf(row).client?.startsWith(name)) ?? true),
  )
  const [newest] = own
  return {
    lastCallAt: own.find(isSuccess)?.createdAt ?? null,
    failed:
      newest === undefined || isSuccess(newest)
        ? null
        : {
            request_id: newest.requestId,
            at: newest.createdAt,
            code: factsOf(newest).error_code ?? null,
            message: newest.content || `HTTP status ${newest.status}`,
          },
  }
}
