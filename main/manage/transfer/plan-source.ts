import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import { readForeignTables } from '../../store/foreign/read-foreign-tables.ts'
import { databaseImporters } from '../../transfer/from/importers.ts'
import type { OperationContext } from '../operation/operation.ts'
import { fetchForeign } from './fetch-foreign.ts'
import { type ImportPlan, planForeign, planImport } from './import-plan.ts'
import { requireLocal } from './require-local.ts'

/** A file's text, a database's path, or a running gateway of another program. */
interface SourceInput {
  path?: string | undefined
  text?: string | undefined
  from?: string | undefined
  filename?: string | undefined
  passphrase?: string | undefined
  address?: string | undefined
  access_token?: string | undefined
  user_id?: number | undefined
}

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

/** Reads the source and compares it with the state. Throws as `planImport` and `fetchForeign` do. */
export async function planSource(
  input: SourceInput,
  context: OperationContext,
): Promise<ImportPlan> {
  const { text, from, address, access_token = '', user_id } = input
  const { parts } = context
  if (input.path !== undefined) {
    if (text !== undefined || address !== undefined) {
      throw refuse('path', 'Send a path, a text or an address, not several of them.', {
        code: 'one_source',
      })
    }
    return planDatabase(input.path, context)
  }
  if (address === undefined) {
    if (text === undefined)
      throw refuse('text', 'Choose a file, or enter an address.', { code: 'source_missing' })
    return planImport({ ...input, text }, parts)
  }
  if (text !== undefined)
    throw refuse('text', 'Send a text or an address, not both.', { code: 'one_source' })
  if (from !== 'new-api' && from !== 'one-api') {
    throw refuse('from', 'Say whether the address is of new-api or of one-api.', {
      code: 'foreign_kind',
    })
  }
  return planForeign(
    from,
    await fetchForeign({ from, address, access_token, user_id }, context),
    parts,
  )
}

/** Only a console on this machine may name its files. */
async function planDatabase(given: string, context: OperationContext): Promise<ImportPlan> {
  requireLocal(context, 'Files are named by their path')
  const typed = given.trim()
  const path = /^~[/\\]/.test(typed) ? join(homedir(), typed.slice(2)) : typed
  if (!isAbsolute(path))
    throw refuse('path', 'Enter the whole path, from / or ~/ on.', { code: 'path_not_whole' })
  const { parts } = context
  const tables = databaseImporters.flatMap((one) => one.tables)
  const rows = await readForeignTables(path, tables, parts.dataFolder)
  const importer = databaseImporters.find((one) => one.detect(rows))
  if (!importer) {
    throw refuse(
      'path',
      `${path} is neither cc-switch’s database nor Claude Code Router’s. For new-api or one-api, enter its address instead.`,
      { code: 'database_unknown', path },
    )
  }
  return planForeign(importer.id, importer.read(rows), parts)
}
