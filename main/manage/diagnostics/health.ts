import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { sinkOf } from '../../base/log/log.ts'
import { openSockets } from '../../upstream/connect/connector.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation } from '../operation/operation.ts'
import { reasonOutput } from '../operation/sentence.ts'
import { warningsOf } from './warnings.ts'

const milliseconds = z.number().describe('Milliseconds.')
const bytes = z.int().describe('Bytes.')
const problem = z.string().nullable().describe('Why it cannot be written; null when all is well.')

export const healthRecord = z
  .strictObject({
    status: z
      .enum(['ok', 'warning', 'failing'])
      .describe('Failing: the ledger, the settings or the stored keys cannot be used.'),
    warnings: z.array(
      z.strictObject({
        code: z.string(),
        message: z.string(),
        reason: reasonOutput.describe('The message by code, with the values in it.'),
        since: z.int().nullable().describe('Unix seconds; null where that is not known.'),
      }),
    ),
    version: z.string(),
    node: z.string(),
    platform: z.string(),
    uptime: z.int().describe('Seconds.'),
    memory: z.strictObject({ rss: bytes, heap_used: bytes }),
    event_loop: z
      .strictObject({ mean_ms: milliseconds, p99_ms: milliseconds, max_ms: milliseconds })
      .describe('How late timers came in the last one or two minutes.'),
    calls: z.strictObject({
      active: z.int().describe('Running model calls.'),
      waiting: z.int().describe('Calls that wait for their turn.'),
      limit: z.int().describe('How many may run at once; 0 = any.'),
    }),
    connections: z.int().describe('Of clients.'),
    ledger: z.strictObject({
      problem,
      rows_waiting: z.int().describe('Rows in memory that could not be written yet.'),
      size: bytes,
    }),
    state: z.strictObject({ problem, size: bytes }),
    disk: z.strictObject({
      free: z.int().nullable().describe('Bytes; null where that cannot be asked.'),
    }),
    upstream: z.strictObject({
      sockets: z.int().nullable().describe('Open connections to vendors; null where not counted.'),
    }),
    log: z.strictObject({
      path: z.string().nullable().describe('The file of the log; null where there is none.'),
    }),
  })
  .meta({ id: 'Health' })

export type HealthRecord = z.output<typeof healthRecord>

const STATE_FILE = 'state.json'

async function freeOnDisk(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10

/** How the gateway fares right now. */
export async function readHealth(parts: GatewayParts): Promise<HealthRecord> {
  const { ledger, state, slots, settings, vitals, dataFolder } = parts
  const free = await freeOnDisk(dataFolder)
  const warnings = warningsOf(parts, free)
  const { mean, p99, max } = vitals.loopDelay
  const { rss, heapUsed } = process.memoryUsage()
  const status = warnings.some(({ isFailing }) => isFailing)
    ? 'failing'
    : warnings.length > 0
      ? 'warning'
      : 'ok'
  return {
    status,
    warnings: warnings.map(({ isFailing: _isFailing, ...warning }) => warning),
    version: parts.version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    uptime: Math.max(0, unixSeconds() - parts.startedAt),
    memory: { rss, heap_used: heapUsed },
    event_loop: { mean_ms: tenths(mean), p99_ms: tenths(p99), max_ms: tenths(max) },
    calls: {
      active: parts.openCalls.size - slots.waiting,
      waiting: slots.waiting,
      limit: settings.current.MaxConcurrentCalls,
    },
    connections: parts.connections(),
    ledger: { problem: ledger.problem, rows_waiting: ledger.rowsWaiting, size: ledger.size() },
    state: {
      problem: state.problem?.reason ?? null,
      size: statSync(join(dataFolder, STATE_FILE), { throwIfNoEntry: false })?.size ?? 0,
    },
    disk: { free },
    upstream: { sockets: openSockets().size },
    log: { path: sinkOf(parts.log)?.path ?? null },
  }
}

/** How the gateway fares, for administrators. */
export const healthOperation = defineOperation({
  name: 'diagnostics.health',
  summary:
    'Tells how the gateway itself fares: what to know, what to do, and figures of its process.',
  access: 'admin',
  http: { method: 'GET', path: '/api/diagnostics/health' },
  input: z.object({}),
  output: healthRecord,
  run: (_input, { parts }) => readHealth(parts),
})
