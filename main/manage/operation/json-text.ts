import { z } from 'zod'
import type { Reason } from '../../base/reason.ts'

type Json = Record<string, unknown>

const LONGEST = 20_000

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
        context.addIssue({ code: 'custom', message: 'must be a JSON object in a text' })
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: `must be a JSON object in a text (${(error as Error).message})`,
        })
      }
      return z.NEVER
    })

/** A problem that the console can say by itself. */
export interface JsonProblem {
  message: string
  reason: Reason
}

/** The same, with a further look at what it holds; `check` gives what is wrong, or null. */
export const checkedJsonObject = <Value extends Json>(
  check: (value: Json) => string | JsonProblem | null,
  longest?: number,
) =>
  jsonObject(longest).transform((value, context): Value => {
    const problem = check(value)
    if (typeof problem === 'string') context.addIssue({ code: 'custom', message: problem })
    else if (problem) {
      const { message, reason } = problem
      context.addIssue({ code: 'custom', message, params: { reason } })
    }
    return value as Value
  })
