import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import type { Reason, Sentence } from '../../base/reason.ts'

type Json = Record<string, unknown>

const LONGEST = 20_000

/** A problem that follows the field's name, and the whole sentence by code. */
export type JsonProblem = Sentence

export const jsonProblem = (problem: string, why: Reason): JsonProblem => ({
  message: problem,
  reason: { code: 'field_wrong', problem, why },
})

const refuse = (context: z.RefinementCtx, { message, reason }: JsonProblem): void =>
  context.addIssue({ code: 'custom', message, params: { reason } })

/** A JSON object in a text, as several record fields are on the wire; null and '' are an empty one. */
export const jsonObject = (longest = LONGEST) =>
  z
    .string()
    .max(longest, `can have at most ${longest} characters`)
    .nullable()
    .transform((text, context): Json => {
      if (text === null || text.trim() === '') return {}
      try {
        const value: unknown = JSON.parse(text)
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
          return value as Json
        }
        context.addIssue({ code: 'custom', message: fieldProblems.field_json })
      } catch (error) {
        const problem = (error as Error).message
        refuse(
          context,
          jsonProblem(`must be a JSON object in a text (${problem})`, {
            code: 'json_unreadable',
            problem,
          }),
        )
      }
      return z.NEVER
    })

/** The same, with a further look at what it holds; `check` gives what is wrong, or null. */
export const checkedJsonObject = <Value extends Json>(
  check: (value: Json) => JsonProblem | null,
  longest?: number,
) =>
  jsonObject(longest).transform((value, context): Value => {
    const problem = check(value)
    if (problem) refuse(context, problem)
    return value as Value
  })
