import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { cacheCauses } from '../../inspect/sessions/cache-cause.ts'
import { CacheDoctor, type CacheFinding } from '../../inspect/sessions/cache-doctor.ts'
import { diagnosisWords } from '../../inspect/sessions/diagnosis-words.ts'
import { lineKey, type SessionLine } from '../../inspect/sessions/session-lines.ts'
import { modelFacts } from '../../relay/pricing/model-facts.ts'
import { defineOperation } from '../operation/operation.ts'
import { findSession } from './find-session.ts'
import { missCost } from './miss-cost.ts'
import { sessionInput } from './session-input.ts'
import { toSessionCall } from './session-rows.ts'
import { promptOf, readableCapture } from './session-texts.ts'
import { linesOf } from './session-turns.ts'

/** Tokens: the minimum of most vendors. */
const LEAST_CACHED = 1024
/** Characters beside the place where two texts part. */
const BEFORE = 40
const AFTER = 80

const cause = z.enum(cacheCauses)
const text = z.string().nullable().describe('Around the place where it departs; null = nothing.')

const finding = z.strictObject({
  request_id: z.string(),
  previous_id: z.string().describe('The call before it of the same agent.'),
  equal_tokens: z.int().nullable().describe('≈; null where one of both was not captured.'),
  previous_prompt_tokens: z.int().nullable().describe('≈, of the call before.'),
  path: z
    .string()
    .nullable()
    .describe('Where the prompt departs from the one before; null where it only adds to it.'),
  from: text,
  to: text,
  prompt_tokens: z.int(),
  cached_tokens: z.int(),
  missed_tokens: z.int().describe('Tokens of the call before that were read anew.'),
  cause: cause.nullable().describe('Null where nearly all was cached that could be.'),
  setting: z
    .strictObject({
      path: z.string(),
      from: z.string().nullable().describe('Null = not sent.'),
      to: z.string().nullable().describe('Null = not sent.'),
    })
    .nullable()
    .describe('The field that is the cause; null with another cause.'),
  quota: z.int().nullable().describe('Units that the miss cost; null where it has no price.'),
})

const around = (value: string | null, at: number): string | null =>
  value === null ? null : value.slice(Math.max(0, at - BEFORE), at + AFTER)

function toFinding(one: CacheFinding): z.infer<typeof finding> {
  const { comparison, setting } = one
  const departure = comparison?.departure
  return {
    request_id: one.requestId,
    previous_id: one.previousId,
    equal_tokens: comparison?.equalTokens ?? null,
    previous_prompt_tokens: comparison?.tokensBefore ?? null,
    path: departure?.path ?? null,
    from: departure ? around(departure.from, departure.at) : null,
    to: departure ? around(departure.to, departure.at) : null,
    prompt_tokens: one.input,
    cached_tokens: one.cached,
    missed_tokens: one.missed,
    cause: one.cause,
    setting: setting && {
      path: setting.path,
      from: around(setting.from, setting.at),
      to: around(setting.to, setting.at),
    },
    quota: one.cost,
  }
}

export const sessionDoctor = defineOperation({
  name: 'agent-session.doctor',
  summary:
    'Compares each call of a session with the one before it, and says why the vendor’s cache missed.',
  access: 'user',
  http: { method: 'GET', path: '/api/sessions/:id/doctor' },
  input: sessionInput,
  output: z.strictObject({
    summary: z.string().describe('One sentence.'),
    compared: z.int().describe('Calls that had one before them.'),
    prompt_tokens: z.int(),
    cached_tokens: z.int(),
    missed_tokens: z.int().describe('Input that was re-sent and not in the cache.'),
    quota: z.int().nullable().describe('Units that all misses cost; null without a price.'),
    causes: z
      .array(
        z.strictObject({
          cause,
          path: z.string().nullable(),
          calls: z.int(),
          missed_tokens: z.int(),
          quota: z.int().nullable().describe('Units; null without a price.'),
        }),
      )
      .describe('The one that cost most tokens first.'),
    findings: z.array(finding),
  }),
  async run(input, context) {
    const { rows } = await findSession(input, context)
    const { settings } = context.parts
    const rowOf = new Map(rows.map((row) => [row.requestId, row]))
    const lines = linesOf(rows, context)
    const doctor = new CacheDoctor(
      {
        costOf: ({ requestId }, missed) => {
          const row = rowOf.get(requestId)
          return row ? missCost(row, missed, settings.current) : null
        },
        minimumOf: (model) => modelFacts(model).cacheMinimum ?? LEAST_CACHED,
      },
      rows.some(({ cachedTokens }) => cachedTokens > 0),
    )
    for (const [index, row] of rows.entries()) {
      const capture = readableCapture(row.requestId, context)
      const prompt = capture && promptOf(capture)
      doctor.add({ call: toSessionCall(row), prompt }, lineKey(lines[index] as SessionLine))
      if (capture) await nextTurn()
    }
    const diagnosis = doctor.diagnose()
    return {
      summary: diagnosisWords(diagnosis),
      compared: diagnosis.compared,
      prompt_tokens: diagnosis.input,
      cached_tokens: diagnosis.cached,
      missed_tokens: diagnosis.missed,
      quota: diagnosis.cost,
      causes: diagnosis.causes.map(({ cause, path, calls, missed, cost }) => ({
        ...{ cause, path, calls, missed_tokens: missed, quota: cost },
      })),
      findings: diagnosis.findings.map(toFinding),
    }
  },
})
