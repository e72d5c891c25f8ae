import type { z } from 'zod'
import { describeApiOnce } from '../../../main/http/api/api-document.ts'
import { failureEnvelope, successEnvelope } from '../../../main/manage/api-document/envelope.ts'
import { documentedPath } from '../../../main/manage/api-document/operation-entry.ts'
import { allOperations } from '../../../main/manage/operation/invoke.ts'
import { tokenFigures } from '../../../main/manage/tokens/token-figures.ts'

/** An answer of the gateway under `/api`, as far as its document says what it must be. */
interface GivenAnswer {
  method: string
  /** With its query. */
  path: string
  status: number
  /** Parsed JSON; null for an empty body. */
  body: unknown
  /** Business failures may answer 200. */
  isLegacy: boolean
}

type Entry = { responses: Record<string, unknown> }

const documented = describeApiOnce('test').paths as Record<string, Record<string, Entry>>

/** Fixed segments before parameters, as the gateway matches them. */
const operationsByPrecision = allOperations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.http.path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
    rank: operation.http.path.replaceAll(/:\w+/g, '\u{10ffff}'),
  }))
  .sort((one, other) => (one.rank < other.rank ? -1 : 1))

/** The operation that such a request reaches. */
export const operationAt = (method: string, path: string) =>
  operationsByPrecision.find(
    ({ operation, pattern }) => operation.http.method === method && pattern.test(path),
  )?.operation

const ofToken = new Map<string, z.ZodType>([
  ['/api/usage/token', tokenFigures.token.schema],
  ['/api/log/token', tokenFigures.log.schema],
])

function check(schema: z.ZodType, body: unknown, what: string): void {
  const { success, error } = schema.safeParse(body)
  if (success) return
  const wrong = error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`)
  throw new Error(
    `${what} is not what its document says.\n${wrong.join('\n')}\n${JSON.stringify(body).slice(0, 1000)}`,
  )
}

/**
 * Throws when an answer is not what the API's document says: a status that is not listed, a field that is
 * missing, of another type, or unknown. The failure names the field.
 */
export function checkAnswer({ method, path: url, status, body, isLegacy }: GivenAnswer): void {
  const [path = ''] = url.split('?')
  const bare = path.replace(/\/$/, '')
  if (!path.startsWith('/api/') || body === null || method === 'HEAD') return
  const isFailure = (body as { success?: boolean }).success === false
  const found = operationAt(method, path)
  // The playground's calls answer as model calls do.
  if (found?.kind === 'stream') return
  const operation = found
  const what = `${method} ${path} (${operation?.name ?? 'no operation'}), answered ${status},`
  const figures = method === 'GET' ? ofToken.get(bare) : undefined
  if (isFailure) {
    if (status < 400 && !isLegacy) throw new Error(`${what} is a failure with a good status.`)
    check(failureEnvelope(operation), body, what)
  } else if (figures) check(figures, body, what)
  else if (operation) check(successEnvelope(operation), body, what)
  if (operation && !isLegacy && status !== 405) {
    const entry = documented[documentedPath(operation.http.path)]?.[method.toLowerCase()]
    if (!entry?.responses[String(status)]) throw new Error(`${what} has an undocumented status.`)
  }
}
