import { GatewayError } from '../../base/errors.ts'
import type { OperationContext } from '../operation/operation.ts'
import { fetchForeign } from './fetch-foreign.ts'
import { type ImportPlan, planForeign, planImport } from './import-plan.ts'

/** A file, or a running gateway of another program. */
interface SourceInput {
  text?: string | undefined
  from?: string | undefined
  filename?: string | undefined
  passphrase?: string | undefined
  address?: string | undefined
  access_token?: string | undefined
  user_id?: number | undefined
}

const refuse = (field: string, message: string): GatewayError =>
  new GatewayError('invalid_params', { message, field })

/** Reads the source and compares it with the state. Throws as `planImport` and `fetchForeign` do. */
export async function planSource(
  input: SourceInput,
  context: OperationContext,
): Promise<ImportPlan> {
  const { text, from, address, access_token = '', user_id } = input
  const { parts } = context
  if (address === undefined) {
    if (text === undefined) throw refuse('text', 'Choose a file, or enter an address.')
    return planImport({ ...input, text }, parts)
  }
  if (text !== undefined) throw refuse('text', 'Send a text or an address, not both.')
  if (from !== 'new-api' && from !== 'one-api') {
    throw refuse('from', 'Say whether the address is of new-api or of one-api.')
  }
  return planForeign(
    from,
    await fetchForeign({ from, address, access_token, user_id }, context),
    parts,
  )
}
