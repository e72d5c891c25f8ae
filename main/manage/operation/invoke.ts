import { GatewayError } from '../../base/errors.ts'
import type { Answer } from '../../relay/call/answer.ts'
import { checkAccess } from './access.ts'
import type { Operation, OperationContext, Reply, StreamOperation } from './operation.ts'
import { operations } from './operations.ts'
import { readInput } from './read-input.ts'

type AnyOperation = Operation | StreamOperation

/** Every operation, by a name that may have come from anywhere. */
const byName: ReadonlyMap<string, AnyOperation> = new Map(
  Object.values(operations).map((one) => [one.name, one as unknown as AnyOperation]),
)

/** All of them, for HTTP and IPC. */
export const allOperations: readonly AnyOperation[] = [...byName.values()]

function find<Kind extends AnyOperation['kind']>(
  name: string,
  kind: Kind,
): Extract<AnyOperation, { kind: Kind }> {
  const operation = byName.get(name)
  if (operation?.kind === kind) return operation as Extract<AnyOperation, { kind: Kind }>
  throw new GatewayError('not_found', {
    message: `There is no operation "${name}".`,
    reason: { code: 'no_operation', name },
  })
}

/**
 * May the caller run the operation now? Apart from running it, because over HTTP it comes before the
 * body is read.
 */
export function admit(operation: AnyOperation, context: OperationContext): void {
  checkAccess(operation, context)
  operation.before?.(context)
}

/**
 * Runs an operation that answers once: checks who asks, parses the input by the operation's schema, and
 * gives its reply. Throws GatewayError for every failure that was foreseen.
 */
export async function invokeOperation(
  name: string,
  input: unknown,
  context: OperationContext,
): Promise<Reply<unknown>> {
  const operation = find(name, 'operation')
  admit(operation, context)
  return operation.run(readInput(operation.input, input), context)
}

/** Starts an operation that answers in pieces. */
export async function invokeStream(
  name: string,
  input: unknown,
  context: OperationContext,
): Promise<Answer> {
  const operation = find(name, 'stream')
  admit(operation, context)
  return operation.run(readInput(operation.input, input), context)
}
