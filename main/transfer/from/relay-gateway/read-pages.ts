import { GatewayError } from '../../../base/errors.ts'
import { Field } from '../text/field.ts'

/** GETs a path of the foreign gateway's API. */
export type GetJson = (path: string) => Promise<unknown>

const PAGE_SIZE = 100
/** one-api gives ten rows a page. */
const MOST_PAGES = 300

/** The envelope's `data`. Throws `upstream_error` with the gateway's own sentence. */
export async function readData(get: GetJson, path: string): Promise<Field> {
  const envelope = new Field(await get(path))
  if (envelope.isObject && envelope.at('success').value === true) return envelope.at('data')
  const said = envelope.isObject ? envelope.at('message').value : null
  const sentence = typeof said === 'string' && said !== '' ? `: “${said.slice(0, 300)}”.` : '.'
  throw new GatewayError('upstream_error', {
    message: `${path.replace(/\?.*/, '')} refused${sentence} Check the address and the access token.`,
    field: 'access_token',
    reason:
      typeof said === 'string' && said !== ''
        ? { code: 'foreign_refused_said', path: path.replace(/\?.*/, ''), said: said.slice(0, 300) }
        : { code: 'foreign_refused', path: path.replace(/\?.*/, '') },
  })
}

/**
 * All rows of a list by their ids. one-api and old versions of new-api number pages from 0 and answer with a
 * list; newer ones from 1, with `items` and `total`.
 */
export async function readPages(get: GetJson, path: string): Promise<Field[]> {
  const rows = new Map<unknown, Field>()
  for (let page = 0, count = 0; count < MOST_PAGES; page++, count++) {
    const data = await readData(get, `${path}?p=${page}&page_size=${PAGE_SIZE}`)
    const isCounted = data.isObject
    const before = rows.size
    for (const row of (isCounted ? data.at('items') : data).items()) {
      rows.set(row.at('id').value, row)
    }
    const total = isCounted ? data.at('total').integer(0, 1e9) : null
    if (rows.size === before || (total !== null && rows.size >= total)) return [...rows.values()]
    if (isCounted && page === 0) page = 1
  }
  throw new GatewayError('upstream_error', {
    message: `${path} has more than ${MOST_PAGES} pages, the most that can be read. Delete what you no longer need there, or create its channels by hand.`,
    field: 'address',
    reason: { code: 'foreign_many_pages', path, most: MOST_PAGES },
  })
}
