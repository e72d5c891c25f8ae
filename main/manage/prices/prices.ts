import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Sentence } from '../../base/reason.ts'
import { priceTable } from '../../relay/pricing/price-table.ts'
import type { Settings, SettingsStore } from '../../store/state/settings.ts'
import { eventRow } from '../calls/event-row.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { type OwnPrice, priceInput, priceSettings, toOwnPrice } from './price-input.ts'
import {
  listedModels,
  type PriceRecord,
  priceRecord,
  servedModels,
  toPriceRecord,
} from './price-record.ts'

/** The newest of the table's days. */
const asOf = (): string =>
  priceTable.families
    .map((family) => family.asOf)
    .sort()
    .at(-1) ?? ''

const list = defineOperation({
  name: 'price.list',
  summary: 'Lists what every model costs that is served here, was priced here, or is in the table.',
  access: 'admin',
  http: { method: 'GET', path: '/api/prices' },
  input: z.object({}),
  output: z.strictObject({
    as_of: z.iso.date().describe('The newest day of the price table.'),
    items: z.array(priceRecord),
  }),
  run(_input, { parts }) {
    const served = servedModels(parts)
    const settings = parts.settings.current
    const own = ['ModelPrice', 'ModelRatio', 'UnitPrice'] as const
    const priced = own.flatMap((name) => Object.keys(settings[name]))
    const models = [...new Set([...served, ...priced, ...listedModels()])].sort()
    return { as_of: asOf(), items: models.map((model) => toPriceRecord(model, served, parts)) }
  },
})

/** Puts a model's own price in place of the one it has; undefined takes a part away. */
function keep(model: string, price: Partial<OwnPrice>, settings: SettingsStore): void {
  const changed = priceSettings.map((name) => {
    const { [model]: _before, ...others } = settings.current[name]
    const value = price[name]
    return [name, value === undefined ? others : { ...others, [model]: value }]
  })
  settings.update(Object.fromEntries(changed) as Partial<Settings>)
}

/** Prices are money: who changed one stands in the log, with what it is now. */
function afterChange(model: string, context: OperationContext): PriceRecord {
  const { parts, requestId, ip } = context
  const record = toPriceRecord(model, servedModels(parts), parts)
  const isOwn = record.source === 'own'
  const content: Sentence = {
    message: `${isOwn ? 'Set the price of' : 'Removed the custom price of'} the model "${model}".`,
    reason: { code: isOwn ? 'audit_price_set' : 'audit_price_taken_back', model },
  }
  void parts.ledger.record(
    eventRow(3, signedIn(context), content, {
      requestId,
      ip,
      other: { price: record },
    }),
  )
  return record
}

const set = defineOperation({
  name: 'price.set',
  summary:
    "Sets a model's price in US dollars, in place of the table's; what it has no field for stays as the table has it, in proportion.",
  access: 'root',
  http: { method: 'PUT', path: '/api/prices' },
  input: priceInput,
  output: priceRecord,
  run(input, context): PriceRecord {
    keep(input.model, toOwnPrice(input), context.parts.settings)
    return afterChange(input.model, context)
  },
})

const reset = defineOperation({
  name: 'price.reset',
  summary: "Removes a model's custom price, so that the table's applies again.",
  access: 'root',
  http: { method: 'DELETE', path: '/api/prices/:model' },
  input: z.object({ model: z.string().trim().min(1).max(255) }),
  output: priceRecord,
  run({ model }, context): PriceRecord {
    const { settings } = context.parts
    if (!priceSettings.some((name) => Object.hasOwn(settings.current[name], model))) {
      throw new GatewayError('not_found', {
        message: `The model "${model}" has no custom price to remove.`,
        field: 'model',
        reason: { code: 'no_own_price', model },
      })
    }
    keep(model, {}, settings)
    return afterChange(model, context)
  },
})

/** Settings that price tokens. */
const tokenSettings = priceSettings.filter((name) => name !== 'ModelPrice' && name !== 'UnitPrice')

const resetRatios = defineOperation({
  name: 'option.reset-model-ratio',
  summary: "Takes all own ratios of tokens back, so that the table's prices hold again.",
  access: 'root',
  http: { method: 'POST', path: '/api/option/rest_model_ratio' },
  input: z.strictObject({}),
  output: z.undefined(),
  run(_input, context): void {
    const { parts, requestId, ip } = context
    const none = Object.fromEntries(tokenSettings.map((name) => [name, {}]))
    parts.settings.update(none as Partial<Settings>)
    const content: Sentence = {
      message: 'Reset all model ratios to those of the price table.',
      reason: { code: 'audit_ratios_reset' },
    }
    void parts.ledger.record(eventRow(3, signedIn(context), content, { requestId, ip }))
  },
})

export const priceOperations = [list, set, reset, resetRatios] as const
