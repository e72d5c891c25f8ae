import { expect } from 'vitest'
import type { StoredCall } from '../../../main/store/ledger/ledger.ts'
import { vendorClients } from '../clients/vendor-clients.ts'
import { type Pair, startPair } from '../gateway/pair.ts'

/** The name under which Echo is called. */
export const ECHO_ALIAS = 'alias'

/** A gateway whose only channel is Echo, called by another name than its own. */
export interface EchoStage {
  pair: Pair
  clients: ReturnType<typeof vendorClients>
  /** Runs one call, which has to go well, and gives its answer and the one row that it left. */
  booked<Answer>(run: () => Promise<Answer>): Promise<{
    answer: Answer
    row: StoredCall
    /** The row's `other` column. */
    other: Record<string, unknown>
  }>
  close(): Promise<void>
}

export async function startEchoStage(): Promise<EchoStage> {
  const pair = await startPair({ empty: true })
  const modelMapping = { [ECHO_ALIAS]: 'echo' }
  const models = [ECHO_ALIAS]
  pair.gateway.addChannel({ type: 900, name: 'Echo', key: '', models, modelMapping })
  return {
    pair,
    clients: vendorClients(pair.gateway),
    async booked<Answer>(run: () => Promise<Answer>) {
      const answers: Answer[] = []
      const row = await pair.rowAfter(async () => {
        answers.push(await run())
      })
      expect(row).toMatchObject({ channelName: 'Echo', model: ECHO_ALIAS, status: 200, type: 2 })
      expect(row.content).toBe('')
      const other = JSON.parse(row.other) as Record<string, unknown>
      expect(other).toMatchObject({ is_model_mapped: true, upstream_model_name: 'echo' })
      // Echo speaks every format itself.
      expect(other).not.toHaveProperty('upstream_format')
      return { answer: answers[0] as Answer, row, other }
    },
    close: () => pair.close(),
  }
}
