import { GatewayError } from '../../../base/errors.ts'
import type { Foreign, Transfer } from '../../transfer.ts'
import { Carried } from '../carried.ts'
import type { Subject } from '../report/left-out-texts.ts'
import type { Field } from '../text/field.ts'
import { parseJson } from '../text/parse-json.ts'
import { vendorAt } from '../vendor/vendor-at.ts'
import { type Program, typeOf } from './channel-types.ts'
import { type GetJson, readData, readPages } from './read-pages.ts'
import { readPrices } from './read-prices.ts'
import { readToken } from './read-token.ts'

/** Words that newer versions of new-api take in place of an address, and what they stand for. */
const plans: Readonly<Record<string, string>> = {
  'glm-coding-plan': 'https://open.bigmodel.cn/api/coding/paas/v4',
  'glm-coding-plan-international': 'https://api.z.ai/api/coding/paas/v4',
  'kimi-coding-plan': 'https://api.kimi.com/coding/v1',
  'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding/v3',
}

const MOST = 1_000_000_000

function mappingOf(row: Field): Record<string, string> {
  const text = row.at('model_mapping').text()
  if (text === '') return {}
  const entries = parseJson(text, row.at('model_mapping').path).entries()
  return Object.fromEntries(entries.map(([asked, upstream]) => [asked, upstream.name()]))
}

/** Fields with behaviour of their own, by what they are called in the report. */
const others = [
  'param_override',
  'header_override',
  'status_code_mapping',
  'system_prompt',
  'setting',
  'settings',
  'other',
  'test_model',
  'openai_organization',
] as const

const isEmpty = (field: Field): boolean =>
  !field.isText || /^(?:\s*|\{\s*\}|null|\{"proxy":""\})$/.test(String(field.value))

function readChannel(row: Field, program: Program, carried: Carried): void {
  const name = row.at('name').text() || `Channel ${row.at('id').integer(0, MOST) ?? ''}`
  const number = row.at('type').integer(0, MOST) ?? 0
  const known = typeOf(program, number)
  if (!known) {
    carried.leave(name, ['foreign_type', { number: String(number), program }])
    return
  }
  const given = row.at('base_url')
  const typed = given.text()
  const address = Object.hasOwn(plans, typed) ? (plans[typed] ?? '') : typed
  // Checks it; a type's own way with its address is kept.
  if (address !== '') vendorAt(given.withText(address), 'openai')
  const base_url = address === '' ? known.base_url : address.replace(/\/+$/, '')
  if (base_url === null && known.type === 1 && number !== 1) {
    carried.leave(name, 'no_address')
    return
  }
  carried.add({
    name,
    vendor: { name, type: known.type, base_url, needsKey: true },
    keys: [],
    whyNoKey: ['keys_withheld', { program }],
    models: row.at('models').text().split(','),
    mapping: mappingOf(row),
    priority: row.at('priority').integer(-MOST, MOST) ?? 0,
    weight: row.at('weight').integer(0, 1_000_000) ?? 0,
    group: row.at('group').text() || 'default',
    tag: row.at('tag').text() || null,
  })
  const rest = others.filter((field) => !isEmpty(row.at(field)))
  if (rest.length > 0) carried.leave(`${name}: ${rest.join(', ')}`, 'enter_them')
}

/** Runs it, or says in the report why the part stays behind; a refusal of the account is no failure of all. */
async function orLeave(part: Subject, carried: Carried, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const isSaid = error instanceof GatewayError
    if (!isSaid || (error.code !== 'upstream_error' && error.code !== 'invalid_params')) throw error
    // Its own words need no translation.
    const { reason, message } = error
    const said = reason?.code === 'foreign_refused_said' ? `“${reason.said}”` : message
    carried.leave(part, ['part_refused', { problem: said }])
  }
}

/**
 * Reads a running new-api or one-api: channels, the account's own tokens, prices and groups. GETs only.
 * Rejects as `get` does, with `upstream_error` for a refusal and `invalid_params` for rows of another shape.
 */
export async function readRelayGateway(program: Program, get: GetJson): Promise<Foreign> {
  const carried = new Carried()
  const found: Partial<Transfer> = {}
  for (const row of await readPages(get, '/api/channel/')) {
    // One row that can't be read must not hide the others.
    await orLeave(String(row.at('name').value ?? ''), carried, async () =>
      readChannel(row, program, carried),
    )
  }
  await orLeave(['gateway_tokens'], carried, async () => {
    const rows = await readPages(get, '/api/token/')
    found.tokens = rows.map((row) => readToken(row, carried))
  })
  await orLeave(['gateway_options'], carried, async () => {
    const options = await readData(get, '/api/option/')
    Object.assign(found, readPrices(options.items()))
  })
  carried.leave(['gateway_rest'], 'own_tokens')
  const { transfer, leftOut } = carried.foreign()
  return { transfer: { ...transfer, ...found }, leftOut }
}
