import type { Importer } from '../../transfer.ts'
import { Carried } from '../carried.ts'
import type { DatabaseImporter, Row, Tables } from '../database-importer.ts'
import { checkSize, deepest } from '../text/check-size.ts'
import { looksLike } from '../text/looks-like.ts'
import { parseJson } from '../text/parse-json.ts'
import { readInserts } from './read-inserts.ts'
import { readLinks } from './read-link.ts'
import { readProvider } from './read-provider.ts'

/** The export's first line, by which cc-switch knows it too. */
const SQL = /^\uFEFF?\s*-- CC Switch SQLite/
/** Also beside `switchyard://` links. */
const LINK = /^\uFEFF?\s*(?:switchyard:.*\s)?ccswitch:\/\//is

const tables = ['providers', 'provider_endpoints'] as const

const textOf = (row: Row, column: string): string => {
  const value = row.get(column) ?? ''
  return typeof value === 'string' ? value : String(value)
}

const sortOf = (row: Row): number => {
  const sort = row.get('sort_index')
  return typeof sort === 'number' && Number.isFinite(sort) ? sort : Number.MAX_VALUE
}

function readSql(text: string): Carried {
  checkSize(text, { ...deepest, depth: Number.POSITIVE_INFINITY })
  return readTables(readInserts(text, tables))
}

/** In the order of its list. */
function readTables(rows: Tables): Carried {
  const carried = new Carried()
  const providers = [...(rows.get('providers') ?? [])].sort(
    (one, other) => sortOf(one) - sortOf(other),
  )
  const names = new Map<string, string>()
  const addresses = new Map<string, string>()
  for (const row of providers) {
    const app = textOf(row, 'app_type')
    const name = textOf(row, 'name') || textOf(row, 'id')
    const path = `provider ${textOf(row, 'id').slice(0, 80)} (${app.slice(0, 40)})`
    const config = parseJson(textOf(row, 'settings_config') || '{}', path)
    const meta = parseJson(textOf(row, 'meta') || '{}', `${path}.meta`)
    const id = `${app} ${textOf(row, 'id')}`
    names.set(id, name)
    addresses.set(id, textOf(row, 'settings_config'))
    // The one in use comes first where several serve the same model.
    const priority = Number(row.get('is_current')) === 1 ? 1 : 0
    readProvider({ app, name, config, meta, priority }, carried)
  }
  for (const row of rows.get('provider_endpoints') ?? []) {
    const id = `${textOf(row, 'app_type')} ${textOf(row, 'provider_id')}`
    const name = names.get(id)
    const url = textOf(row, 'url')
    if (name === undefined || addresses.get(id)?.includes(url)) continue
    carried.leave(`${name}: ${url.slice(0, 200)}`, 'one_address')
  }
  carried.leave(['cc_switch_rest'], 'not_kept')
  return carried
}

const apps = ['claude', 'codex', 'gemini'] as const

/** The `config.json` of versions before 3.7: version 2 with the apps, version 1 of Claude Code alone. */
function readConfig(text: string): Carried {
  const carried = new Carried()
  const file = parseJson(text)
  const isFirst = file.at('providers').isObject
  for (const app of isFirst ? (['claude'] as const) : apps) {
    const list = isFirst ? file : file.at(app)
    const current = list.at('current').text()
    for (const [id, provider] of list.at('providers').entries()) {
      const name = provider.at('name').text() || id
      const config = provider.at('settingsConfig')
      const priority = id === current ? 1 : 0
      readProvider({ app, name, config, meta: provider.at('meta'), priority }, carried)
    }
  }
  if (file.at('mcp').isThere) {
    carried.leave(['cc_switch_old_rest'], 'not_kept')
  }
  return carried
}

const isConfig = (text: string): boolean =>
  looksLike(text, (file) => {
    const lists = [file, ...apps.map((app) => file.at(app))]
    return lists.some((list) => list.at('providers').isObject && list.at('current').isText)
  })

/** cc-switch: its SQL export, the `config.json` of old versions, and `ccswitch://` links. */
export const ccSwitch: Importer = {
  id: 'cc-switch',
  name: 'cc-switch',
  detect: (text) => SQL.test(text) || LINK.test(text) || isConfig(text),
  read(text) {
    if (LINK.test(text)) return readLinks(text.replace(/^\uFEFF/, '')).foreign()
    return (SQL.test(text) ? readSql(text) : readConfig(text)).foreign()
  },
}

/** `~/.cc-switch/cc-switch.db` of versions from 3.7 on. */
export const ccSwitchDatabase: DatabaseImporter = {
  id: 'cc-switch',
  tables,
  detect: (rows) => tables.every((table) => rows.has(table)),
  read: (rows) => readTables(rows).foreign(),
}
