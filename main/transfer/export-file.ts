import { z } from 'zod'
import { GatewayError } from '../base/errors.ts'
import type { Reason } from '../base/reason.ts'
import { openData, sealData, sealedSchema } from './sealed-data.ts'
import { TRANSFER_PARTS, type Transfer, type TransferPart } from './transfer.ts'

const KIND = 'switchyard-export'
const VERSION = 1

const headSchema = z.looseObject({
  kind: z.literal(KIND),
  version: z.number().int().min(1),
})

const list = z.array(z.looseObject({}))

/** Only the outer shape; each entry is checked by itself, so that one wrong entry doesn't refuse the file. */
const dataSchema = z.strictObject({
  channels: list.optional(),
  tokens: list.optional(),
  prices: list.optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  groups: list.optional(),
  users: list.optional(),
  routes: list.optional(),
  codes: list.optional(),
})

const fileSchema = z.strictObject({
  kind: z.literal(KIND),
  version: z.literal(VERSION),
  /** ISO 8601. */
  exported_at: z.string(),
  /** Version of the Switchyard that wrote it. */
  switchyard: z.string(),
  parts: z.array(z.enum(TRANSFER_PARTS)),
  data: dataSchema.optional(),
  sealed: sealedSchema.optional(),
})

/** The parts as the file has them: entries are of whatever shape. */
export type ReadTransfer = z.infer<typeof dataSchema>

interface Written {
  transfer: Partial<Transfer>
  /** Seals the whole; without one the transfer must hold no secrets. */
  passphrase?: string | undefined
  parts: readonly TransferPart[]
  switchyard: string
  now: Date
}

/** An export as the text of its file. */
export async function writeExport(written: Written): Promise<string> {
  const { transfer, passphrase, parts, switchyard, now } = written
  const head = {
    kind: KIND,
    version: VERSION,
    exported_at: now.toISOString(),
    switchyard,
    parts: [...parts],
  }
  const body =
    passphrase === undefined
      ? { data: transfer }
      : { sealed: await sealData(JSON.stringify(transfer), passphrase, head) }
  return `${JSON.stringify({ ...head, ...body }, undefined, 2)}\n`
}

const refuse = (message: string, reason: Reason, cause?: unknown): GatewayError =>
  new GatewayError('invalid_params', { message, field: 'text', reason, cause })

const BEGINNING = /^\s*\{\s*"kind"\s*:\s*"switchyard-export"/

/** Is it an export of Switchyard, perhaps a cut one? */
export function isExport(text: string): boolean {
  if (BEGINNING.test(withoutMark(text))) return true
  try {
    return headSchema.shape.kind.safeParse(JSON.parse(withoutMark(text))?.kind).success
  } catch {
    return false
  }
}

/** Editors on Windows add a byte order mark. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

function parse(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text))
  } catch (cause) {
    throw refuse(
      'The file is cut off or was changed: its beginning is that of a Switchyard export, but the rest cannot be read. Nothing was imported. Copy or export it again.',
      { code: 'export_cut' },
      cause,
    )
  }
}

/** Reads an export; throws `invalid_params` in words for each way in which it can be unusable. */
export async function readExport(text: string, passphrase?: string): Promise<ReadTransfer> {
  const json = parse(text)
  const head = headSchema.safeParse(json)
  if (!head.success)
    throw refuse('The file is not a Switchyard export. Nothing was imported.', {
      code: 'export_none',
    })
  if (head.data.version > VERSION) {
    throw refuse(
      `The file was exported by a newer Switchyard (its format is version ${head.data.version}, this one reads up to ${VERSION}). Nothing was imported. Update this Switchyard first.`,
      { code: 'export_newer', version: head.data.version, most: VERSION },
    )
  }
  const file = fileSchema.safeParse(json)
  if (!file.success) {
    const issue = file.error.issues[0]
    throw refuse(
      `The file was damaged or changed: ${issue?.path.join('.') || 'its outer object'} is wrong. Nothing was imported. Use another copy of it.`,
      { code: 'export_damaged', place: issue?.path.join('.') || '{}' },
      file.error,
    )
  }
  const { data, sealed, ...outer } = file.data
  if (!sealed) return data ?? {}
  if (!passphrase) {
    throw new GatewayError('invalid_params', {
      message: 'The file is sealed. Enter the passphrase that it was exported with.',
      field: 'passphrase',
      reason: { code: 'export_sealed' },
    })
  }
  const opened = dataSchema.safeParse(JSON.parse(await openData(sealed, passphrase, outer)))
  if (opened.success) return opened.data
  throw refuse(
    'The file does not hold the parts of an export. Nothing was imported.',
    { code: 'export_without_parts' },
    opened.error,
  )
}
