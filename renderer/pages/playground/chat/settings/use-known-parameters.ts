import type { OperationOutput } from '../../../../../preload/contract.ts'
import { useOperation } from '../../../../gateway/queries.ts'
import type { ColumnSettings } from '../desk/chat-record.ts'

export type KnownParameters = OperationOutput<'playground.parameters'>

/** The parameters that a column's model takes where its channel sends it; undefined until that is known. */
export function useKnownParameters(settings: ColumnSettings): KnownParameters | undefined {
  const { model, channel, format } = settings
  return useOperation(
    'playground.parameters',
    { model, format, ...(channel === null ? {} : { channel }) },
    { enabled: model !== '', keepPrevious: true },
  ).data
}
