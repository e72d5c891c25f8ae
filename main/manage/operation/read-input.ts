import type { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { type FieldProblem, fieldProblems, problemCode } from '../../base/field-problems.ts'
import type { Reason } from '../../base/reason.ts'

type Issue = z.core.$ZodIssue

/** `channel.models`, `messages[0].role`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')

const kinds: Readonly<Record<string, FieldProblem>> = {
  string: 'field_text',
  int: 'field_whole_number',
  number: 'field_number',
  boolean: 'field_boolean',
  array: 'field_list',
  object: 'field_object',
}

/** A schema's own message for a value of a wrong type; undefined for any other check. */
function typeProblem(issue: Issue): FieldProblem | undefined {
  const isOfType = ['invalid_type', 'invalid_union', 'invalid_value'].includes(issue.code)
  if (isOfType && issue.input === undefined) return 'field_missing'
  return issue.code === 'invalid_type' ? kinds[issue.expected] : undefined
}

const oneOf = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ')

/** A field's problem, to follow its name: `must be text`. */
function explain(issue: Issue): string {
  const problem = typeProblem(issue)
  if (problem) return fieldProblems[problem]
  if (issue.code === 'invalid_type') return `must be ${issue.expected}`
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) {
    return `must be one of ${oneOf(issue.values)}`
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too')) {
    return `is too ${issue.origin === 'string' ? 'long' : 'large'}: at most ${issue.maximum}`
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too')) {
    return `is too ${issue.origin === 'string' ? 'short' : 'small'}: at least ${issue.minimum}`
  }
  return issue.message
}

const tooBig = { string: 'field_too_long', array: 'field_too_many' } as const
const tooSmall = { string: 'field_too_short', array: 'field_too_few' } as const

/** The reason that a schema gives with its own check (`params`), or what the kind of the problem says. */
function reasonOf(issue: Issue, problem: string): Reason {
  if (issue.code === 'custom' && issue.params?.reason) return issue.params.reason as Reason
  const code = typeProblem(issue) ?? problemCode(issue.message)
  if (code) return { code }
  if (issue.code === 'too_big') {
    const most = Number(issue.maximum)
    return { code: tooBig[issue.origin as keyof typeof tooBig] ?? 'field_too_large', most }
  }
  if (issue.code === 'too_small') {
    const least = Number(issue.minimum)
    if (issue.origin === 'string' && least === 1) return { code: 'field_empty' }
    return { code: tooSmall[issue.origin as keyof typeof tooSmall] ?? 'field_too_small', least }
  }
  if (issue.code === 'invalid_value') return { code: 'field_one_of', values: oneOf(issue.values) }
  return { code: 'field_wrong', problem }
}

function toError(issue: Issue | undefined): GatewayError {
  if (issue?.code === 'unrecognized_keys') {
    const field = pathOf([...issue.path, issue.keys[0] ?? ''])
    return new GatewayError('invalid_params', {
      message: `There is no field "${field}" here.`,
      field,
      reason: { code: 'no_such_field', field },
    })
  }
  const field = pathOf(issue?.path ?? [])
  if (!issue || field === '') {
    return new GatewayError('invalid_params', {
      message: 'The input must be a JSON object.',
      reason: { code: 'input_no_object' },
    })
  }
  const problem = explain(issue).replace(/\.$/, '')
  return new GatewayError('invalid_params', {
    message: `The field "${field}" ${problem}.`,
    field,
    reason: reasonOf(issue, problem),
  })
}

/** The input as its schema makes it; `invalid_params` names the first field that is wrong, and why. */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw toError(parsed.error.issues[0])
}
