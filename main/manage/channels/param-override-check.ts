import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import { pathParts } from '../../relay/channel/override/json-path.ts'
import { CONDITION_MODES, OPERATION_MODES } from '../../relay/channel/override/param-operations.ts'
import { isPattern } from '../../relay/channel/override/replace-pattern.ts'
import { type JsonProblem, jsonProblem } from '../operation/json-text.ts'

const path = z
  .string()
  .min(1, fieldProblems.field_empty)
  .max(500)
  .refine((text) => pathParts(text).length > 0, 'must be a path such as messages.0.content')
const text = z.string().max(20_000)

const operation = z
  .strictObject({
    mode: z.enum(OPERATION_MODES),
    path: path.optional(),
    value: z.unknown().optional(),
    from: text.optional(),
    to: text.optional(),
    keep_origin: z.boolean().optional(),
    conditions: z
      .array(
        z.strictObject({
          path,
          mode: z.enum(CONDITION_MODES),
          value: z.unknown(),
          invert: z.boolean().optional(),
          pass_missing_key: z.boolean().optional(),
        }),
      )
      .max(50)
      .optional(),
    logic: z.enum(['OR', 'AND']).optional(),
  })
  .superRefine(({ mode, path: at, from, to }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const isBetweenPaths = mode === 'move' || mode === 'copy'
    if (isBetweenPaths && !to) refuse('to', 'is missing: a path')
    if (!isBetweenPaths && !at) refuse('path', fieldProblems.field_missing)
    const looksFor = isBetweenPaths || mode === 'replace' || mode === 'regex_replace'
    if (looksFor && !from) refuse('from', fieldProblems.field_missing)
    if (mode === 'regex_replace' && from && !isPattern(from))
      refuse('from', 'isn’t a valid pattern')
  })

const operations = z.array(operation, fieldProblems.field_list).max(100, 'can list at most 100')

/** The problem with a channel's `param_override`, or null: fields to replace, and a list of operations. */
export function wrongParamOverride(
  override: Readonly<Record<string, unknown>>,
): JsonProblem | null {
  if (!('operations' in override)) return null
  const issue = operations.safeParse(override.operations).error?.issues[0]
  if (!issue) return null
  const at = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  const place = `operations${at.join('')}`
  return jsonProblem(`lists operations that cannot be carried out: ${place} ${issue.message}`, {
    code: 'operations_wrong',
    place,
  })
}
