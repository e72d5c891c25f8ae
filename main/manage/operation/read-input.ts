import type { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'

type Issue = z.core.$ZodIssue

/** `channel.models`, `messages[0].role`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** A field's problem, to follow its name: `must be text`. */
function explain(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is missing'
      : `must be ${kinds[issue.expected] ?? issue.expected}`
  }
  if (issue.code === 'invalid_union' || issue.code === 'invalid_value') {
    if (issue.input === undefined) return 'is missing'
    if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) {
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    }
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too')) {
    return `is too ${issue.origin === 'string' ? 'long' : 'large'}: at most ${issue.maximum}`
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too')) {
    return `is too ${issue.origin === 'string' ? 'short' : 'small'}: at least ${issue.minimum}`
  }
  return issue.message
}

/** The reason that a schema gives with its own check (`params`), or what the kind of the problem says. */
function reasonOf(issue: Issue, problem: string): Reason {
  if (issue.code === 'custom' && issue.params?.reason) return issue.params.reason as Reason
  if (problem === 'is missing') return { code: 'field_missing' }
  const isText = 'origin' in issue && issue.origin === 'string'
  if (issue.code === 'too_big' && (isText || issue.origin === 'number')) {
    const most = Number(issue.maximum)
    return { code: isText ? 'field_too_long' : 'field_too_large', most }
  }
  if (issue.code === 'too_small' && (isText || issue.origin === 'number')) {
    const least = Number(issue.minimum)
    if (isText && least === 1) return { code: 'field_empty' }
    return { code: isText ? 'field_too_short' : 'field_too_small', least }
  }
  if (issue.code === 'invalid_format' && issue.message.startsWith('must be one line'))
    return { code: 'field_one_line' }
  return { code: 'field_wrong', problem }
}

function toError(issue: Issue | undefined): GatewayError {
  if (issue?.code === 'unrecognized_keys') {
    const field = pathOf([...issue.path, issue.keys[0] ?? ''])
    return new GatewayError('invalid_params', {
      message: `There is no field "${field}" here.`,
      field,
    })
  }
  const field = pathOf(issue?.path ?? [])
  if (!issue || field === '') {
    return new GatewayError('invalid_params', { message: 'The input must be a JSON object.' })
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
