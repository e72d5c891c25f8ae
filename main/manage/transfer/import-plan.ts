import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import { isExport, type ReadTransfer, readExport } from '../../transfer/export-file.ts'
import { importers } from '../../transfer/from/importers.ts'
import type { Foreign } from '../../transfer/transfer.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { planChannels } from './part/channel-part.ts'
import { planCodes } from './part/code-part.ts'
import { planGroups } from './part/group-part.ts'
import type { Origin, Plan } from './part/plan.ts'
import { planPrices } from './part/price-part.ts'
import { planRoutes } from './part/route-part.ts'
import { planSettings } from './part/setting-part.ts'
import { planTokens } from './part/token-part.ts'
import { planUsers } from './part/user-part.ts'

/** Our own format's name, beside those of the importers. */
export const OWN_FORMAT = 'switchyard'

export interface ImportPlan extends Plan {
  from: string
}

interface Source {
  text: string
  /** Detected when left out. */
  from?: string | undefined
  filename?: string | undefined
  passphrase?: string | undefined
}

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

/** Reads a text and compares it with the state. Throws `invalid_params` for a text that can't be imported. */
export async function planImport(source: Source, parts: GatewayParts): Promise<ImportPlan> {
  const { text, passphrase } = source
  const from = formatOf(source)
  if (from === OWN_FORMAT) {
    return { from, ...planTransfer(await readExport(text, passphrase), parts, 'own') }
  }
  const importer = importers.find(({ id }) => id === from)
  if (!importer)
    throw refuse('from', `There is no format "${from}".`, {
      code: 'field_one_of',
      values: importers.map((one) => one.id).join(', '),
    })
  return planForeign(from, importer.read(text), parts)
}

/** Compares what a foreign format held with the state. */
export function planForeign(
  from: string,
  { transfer, leftOut }: Foreign,
  parts: GatewayParts,
): ImportPlan {
  const plan = planTransfer(transfer, parts, 'foreign')
  return { from, items: plan.items, leftOut: [...leftOut, ...plan.leftOut] }
}

function formatOf({ text, from, filename }: Source): string {
  if (text.trim() === '')
    throw refuse('text', 'The file is empty. Nothing was imported.', { code: 'file_empty' })
  if (from) return from
  if (isExport(text)) return OWN_FORMAT
  const found = importers.find((importer) => importer.detect(text, filename))
  if (found) return found.id
  const known = ['a Switchyard export', ...importers.map(({ name }) => name)].join(', ')
  throw refuse(
    'text',
    `This file’s format isn’t known. Nothing was imported. Known formats: ${known}.`,
    { code: 'file_unknown', known: importers.map(({ name }) => name) },
  )
}

/** In the order in which they are written: tokens name users, and users and channels name groups, routes name channels and tokens. */
function planTransfer(
  given: ReadTransfer | Foreign['transfer'],
  parts: GatewayParts,
  origin: Origin,
): Plan {
  const users = planUsers(given.users ?? [], parts)
  const newUsers = new Set(users.items.map(({ name }) => name))
  const tokens = planTokens(given.tokens ?? [], parts, newUsers)
  const channels = planChannels(given.channels ?? [], parts, origin)
  const namesOf = ({ items }: Plan) => new Set(items.map(({ name }) => name))
  const coming = { channels: namesOf(channels), tokens: namesOf(tokens) }
  const plans = [
    planGroups(given.groups ?? [], parts, origin),
    planSettings(given.settings ?? {}, parts),
    planPrices(given.prices ?? [], parts),
    users,
    tokens,
    channels,
    planRoutes(given.routes ?? [], parts, coming),
    planCodes(given.codes ?? [], parts),
  ]
  return {
    items: plans.flatMap(({ items }) => items),
    leftOut: plans.flatMap(({ leftOut }) => leftOut),
  }
}
