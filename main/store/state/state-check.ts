import { recordSchemas, repeatedId, type StateData, stateSchema } from './state-schema.ts'

interface Issue {
  path: readonly PropertyKey[]
  message: string
}

type ListName = keyof typeof recordSchemas

/** The first problem with its JSON path: `channels[0].weight: expected number, received string`. */
export function describe(error: { issues: readonly Issue[] }): string {
  const [issue] = error.issues
  if (!issue) return 'it is wrong'
  const path = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
  return `${path}: ${issue.message}`
}

/**
 * The schema's problem with changed data, or null. Only what is another object than in
 * the sound data before is looked at.
 */
export function changeProblem(before: StateData, after: StateData): string | null {
  for (const name of Object.keys(stateSchema.shape) as (keyof typeof stateSchema.shape)[]) {
    if (before[name] === after[name]) continue
    const issue = isList(name, after[name])
      ? listIssue(name, before[name] as object[], after[name] as object[])
      : stateSchema.shape[name].safeParse(after[name]).error?.issues[0]
    if (issue) return describe({ issues: [{ ...issue, path: [name, ...issue.path] }] })
  }
  return null
}

const isList = (name: string, value: unknown): name is ListName =>
  name in recordSchemas && Array.isArray(value)

function listIssue(name: ListName, before: object[], after: object[]): Issue | undefined {
  let sound: Set<object> | undefined
  let hasSameIds = true
  for (const [index, record] of after.entries()) {
    if (record === before[index]) continue
    sound ??= new Set(before)
    if (!sound.has(record)) {
      const issue = recordSchemas[name].safeParse(record).error?.issues[0]
      if (issue) return { ...issue, path: [index, ...issue.path] }
    }
    hasSameIds &&= idOf(record) === idOf(before[index])
  }
  return hasSameIds || name === 'sessions' ? undefined : repeatedId(after as { id: number }[])
}

const idOf = (record: object | undefined): unknown => (record as { id?: unknown } | undefined)?.id
