import { z } from 'zod'
import { unixSeconds } from '../../../base/clock.ts'
import { defineOperation } from '../../operation/operation.ts'

const STEP = 60
const STEPS = 15
/** Rows looked at: more would hold up calls. */
const LOOKED_AT_ROWS = 20_000

const recent = defineOperation({
  name: 'channel.recent',
  summary: 'Counts the calls of each channel by minute, of the last quarter of an hour.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/recent' },
  input: z.object({}),
  output: z.strictObject({
    start: z.int().describe('Unix seconds at which the first minute begins.'),
    step: z.int().describe('Seconds.'),
    steps: z.int(),
    known_from: z
      .int()
      .describe('Unix seconds; of the time before, the gateway was too busy to count all.'),
    channels: z.array(
      z.strictObject({
        id: z.int(),
        calls: z.array(z.int()).describe('By minute, failed ones included.'),
        errors: z
          .array(z.int())
          .describe('By minute. A call that another channel answered is none of this one.'),
      }),
    ),
  }),
  run(_input, { parts }) {
    const end = Math.floor(unixSeconds() / STEP) * STEP + STEP
    const start = end - STEPS * STEP
    const rows = parts.ledger.read(
      `SELECT channel_id AS id, (created_at - ?) / ${STEP} AS minute, count(*) AS calls,
         sum(type = 5) AS errors, min(created_at) AS oldest
       FROM (SELECT channel_id, created_at, type FROM calls
             WHERE created_at >= ? AND created_at < ? AND type IN (2, 5) AND channel_id <> 0
             ORDER BY created_at DESC LIMIT ${LOOKED_AT_ROWS})
       GROUP BY 1, 2`,
      ...[start, start, end],
    )
    const counted = rows.reduce((sum, { calls }) => sum + Number(calls), 0)
    const oldest = Math.min(...rows.map((row) => Number(row.oldest)))
    const byId = new Map<number, { calls: number[]; errors: number[] }>()
    for (const { id, minute, calls, errors } of rows) {
      const zeros = () => Array.from({ length: STEPS }, () => 0)
      const line = byId.get(Number(id)) ?? { calls: zeros(), errors: zeros() }
      byId.set(Number(id), line)
      line.calls[Number(minute)] = Number(calls)
      line.errors[Number(minute)] = Number(errors)
    }
    return {
      ...{ start, step: STEP, steps: STEPS, known_from: counted < LOOKED_AT_ROWS ? start : oldest },
      channels: [...byId].map(([id, line]) => ({ id, ...line })),
    }
  },
})

export const channelRecentOperations = [recent] as const
