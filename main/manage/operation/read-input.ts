import type { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'

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
  return new GatewayError('invalid_params', {
    message: `The field "${field}" ${explain(issue).replace(/\.$/, '')}.`,
    field,
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
