import { z } from 'zod'
import { defineOperation } from '../operation/operation.ts'

const space = z.strictObject({
  count: z.int(),
  bytes: z.int(),
  cap: z.int().describe('Bytes that are kept at most; older captures go first.'),
})

const status = defineOperation({
  name: 'capture.status',
  summary: 'Tells how much is captured, and where it is kept.',
  access: 'admin',
  http: { method: 'GET', path: '/api/captures' },
  input: z.object({}),
  output: z.strictObject({
    level: z
      .enum(['off', 'memory', 'failures', 'all'])
      .describe('The option CaptureLevel: where captures are kept.'),
    burst_until: z
      .int()
      .nullable()
      .describe('Unix seconds until which everything is captured; null when that is off.'),
    memory: space,
    disk: space,
    problem: z
      .string()
      .nullable()
      .describe('Why captures cannot be written; null when all is well.'),
  }),
  run(_input, { parts }) {
    const { level, burstUntil, memory, disk, problem } = parts.captures.status()
    return {
      level,
      burst_until: burstUntil === null ? null : Math.ceil(burstUntil / 1000),
      memory,
      disk,
      problem,
    }
  },
})

const burst = defineOperation({
  name: 'capture.burst',
  summary: 'Captures everything, on disk too, for some minutes.',
  access: 'root',
  http: { method: 'POST', path: '/api/captures/burst' },
  input: z.strictObject({ minutes: z.int().min(0).max(60).describe('0 ends it.') }),
  output: z.null(),
  run({ minutes }, { parts }) {
    parts.captures.burst(minutes)
    return null
  },
})

const clear = defineOperation({
  name: 'capture.clear',
  summary: 'Deletes all captures, in memory and on disk.',
  access: 'root',
  http: { method: 'DELETE', path: '/api/captures' },
  input: z.strictObject({}),
  output: z.strictObject({ removed: z.int().describe('How many there were.') }),
  run: (_input, { parts }) => ({ removed: parts.captures.clear() }),
})

export const captureControlOperations = [status, burst, clear] as const
