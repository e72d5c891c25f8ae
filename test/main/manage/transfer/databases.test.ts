import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import { startManagement } from '../management.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'switchyard-databases-'))
  vi.stubEnv('HOME', home)
  vi.stubEnv('USERPROFILE', home)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

/** As cc-switch 3.20 makes it (schema version 17), in the write-ahead mode, and kept open as its app keeps it. */
function writeCcSwitch() {
  mkdirSync(join(home, '.cc-switch'))
  const path = join(home, '.cc-switch', 'cc-switch.db')
  const database = new (sqliteDriver().Database)(path)
  onTestFinished(() => database.close())
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA user_version = 17;
    CREATE TABLE providers (id TEXT NOT NULL, app_type TEXT NOT NULL, name TEXT NOT NULL,
      settings_config TEXT NOT NULL, website_url TEXT, category TEXT, created_at INTEGER,
      sort_index INTEGER, notes TEXT, icon TEXT, icon_color TEXT, meta TEXT NOT NULL DEFAULT '{}',
      is_current BOOLEAN NOT NULL DEFAULT 0, in_failover_queue BOOLEAN NOT NULL DEFAULT 0,
      PRIMARY KEY (id, app_type));
    CREATE TABLE provider_endpoints (id INTEGER PRIMARY KEY AUTOINCREMENT, provider_id TEXT NOT NULL,
      app_type TEXT NOT NULL, url TEXT NOT NULL, added_at INTEGER);
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT);
  `)
  const add = database.prepare(
    'INSERT INTO providers (id, app_type, name, settings_config, sort_index, meta, is_current) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const claude = {
    env: {
      ANTHROPIC_AUTH_TOKEN: 'sk-test-claude-0001',
      ANTHROPIC_BASE_URL: 'https://relay.example.com',
      ANTHROPIC_MODEL: 'claude-sonnet-5',
    },
  }
  const codex = {
    auth: { OPENAI_API_KEY: 'sk-test-codex-0002' },
    config:
      'model_provider = "custom"\nmodel = "deepseek-v4-pro"\n[model_providers.custom]\nbase_url = "https://api.deepseek.example/v1"\n',
  }
  add.run('one', 'claude', 'O’Relay', JSON.stringify(claude), 0, '{"apiFormat":"anthropic"}', 1)
  add.run('two', 'codex', 'DeepSeek relay', JSON.stringify(codex), 1, '{}', 0)
  database
    .prepare('INSERT INTO provider_endpoints (provider_id, app_type, url) VALUES (?, ?, ?)')
    .run('one', 'claude', 'https://relay2.example.com')
  return { path, database }
}

/** As claude-code-router 3 makes it. */
function writeRouter(config: object) {
  mkdirSync(join(home, '.claude-code-router'))
  const path = join(home, '.claude-code-router', 'config.sqlite')
  const database = new (sqliteDriver().Database)(path)
  database.exec('CREATE TABLE app_config (key TEXT PRIMARY KEY, value_json TEXT, updated_at TEXT)')
  database
    .prepare('INSERT INTO app_config VALUES (?, ?, ?)')
    .run('default', JSON.stringify(config), '2026-11-20')
  database.close()
  return path
}

const pool = {
  Providers: [
    {
      ...{ name: 'Pool', type: 'openai_chat_completions', baseUrl: 'https://api.example.com/v1' },
      models: ['example-chat'],
      credentials: [
        { name: 'a', apiKey: 'sk-test-pool-a', priority: 1 },
        { name: 'b', apiKey: '$POOL_KEY', priority: 2 },
      ],
    },
  ],
  Router: { rules: [{ id: 'r', name: 'haiku', type: 'model-prefix' }] },
}

test('keys in the databases of cc-switch and Claude Code Router are found, also while these are open', async () => {
  const { path, database } = writeCcSwitch()
  const router = writeRouter(pool)
  vi.stubEnv('POOL_KEY', 'sk-test-of-the-environment')
  // Its program is in the middle of a transaction, and nothing of it is seen.
  database.exec(`BEGIN EXCLUSIVE; UPDATE providers SET name = 'Half done'`)
  const { owner, gateway } = await startManagement()
  const { body } = await owner.get('/api/transfer/found')
  const found = body.data.found.filter(({ where }: { where: string }) => where.includes(home))
  expect(found).toMatchObject([
    {
      where: `Claude Code Router: ${router}`,
      name: 'Pool',
      base_url: 'https://api.example.com/v1',
    },
    { where: `cc-switch: ${path}`, name: 'O’Relay', vendor_type: 14 },
    { where: `cc-switch: ${path}`, name: 'DeepSeek relay' },
  ])
  expect(JSON.stringify(body)).not.toContain('sk-test')
  database.exec('COMMIT')
  // A dollar sign in a database is no variable.
  const { ids } = found[0]
    ? (await owner.send('POST', '/api/transfer/take', { ids: [found[0].id] })).body.data
    : { ids: [] }
  expect(gateway.parts.channels.byId(ids[0])).toMatchObject({ key: 'sk-test-pool-a' })
  expect(readdirSync(gateway.parts.dataFolder).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a database is imported by its path, and is left as it was', async () => {
  const { path } = writeCcSwitch()
  const before = [readFileSync(path), readdirSync(join(home, '.cc-switch'))]
  const { owner } = await startManagement()
  const { body } = await owner.send('POST', '/api/transfer/preview', {
    path: '~/.cc-switch/cc-switch.db',
  })
  expect(body.message).toBe('')
  expect(body.data).toMatchObject({
    from: 'cc-switch',
    items: [
      { part: 'channels', name: 'O’Relay', state: 'new' },
      { part: 'channels', name: 'DeepSeek relay', state: 'new' },
    ],
  })
  expect(JSON.stringify(body.data.left_out)).toContain('relay2.example.com')
  expect([readFileSync(path), readdirSync(join(home, '.cc-switch'))]).toEqual(before)
})

test('a number of any size in a database keeps nothing from being imported', async () => {
  const { path, database } = writeCcSwitch()
  database.exec('UPDATE providers SET created_at = 9223372036854775807')
  const { owner } = await startManagement()
  const { body } = await owner.send('POST', '/api/transfer/preview', { path })
  expect(body.message).toBe('')
  expect(body.data.items).toMatchObject([{ name: 'O’Relay' }, { name: 'DeepSeek relay' }])
})

test('of a path, a text and an address only one is taken', async () => {
  const { path } = writeCcSwitch()
  const { owner } = await startManagement()
  const [text, address] = ['{}', 'https://new-api.example.com']
  for (const [sources, field] of [
    [{ path, text }, 'path'],
    [{ path, address, from: 'new-api' }, 'path'],
    [{ text, address, from: 'new-api' }, 'text'],
  ] as const) {
    const { status, body } = await owner.send('POST', '/api/transfer/preview', sources)
    expect([status, body.field, body.reason]).toEqual([400, field, { code: 'one_source' }])
  }
})

test('what is no database, is broken, foreign or elsewhere is told apart', async () => {
  const { owner } = await startManagement()
  const text = join(home, 'notes.db')
  writeFileSync(text, 'just some notes')
  const pipe = join(home, 'pipe.db')
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
  const broken = join(home, 'broken.db')
  writeFileSync(broken, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4000, 7)]))
  const other = join(home, 'other.db')
  const database = new (sqliteDriver().Database)(other)
  database.exec('CREATE TABLE notes (text TEXT)')
  database.close()
  const messageFor = async (path: string, headers?: Record<string, string>) => {
    const { status, body } = await owner.send('POST', '/api/transfer/preview', { path }, headers)
    expect(status).toBe(headers ? 403 : 400)
    return body.message as string
  }
  expect(await messageFor(join(home, 'gone.db'))).toContain('There is no file')
  expect(await messageFor(text)).toContain('a SQLite database')
  // Nobody writes into it: that must not be waited for.
  expect(await messageFor(pipe)).toContain('a SQLite database')
  expect(await messageFor(broken)).toContain('may be damaged')
  expect(await messageFor(other)).toMatch(/neither cc-switch.* one-api, enter its address/)
  expect(await messageFor(home)).toContain('is a folder. Enter the path of the database')
  expect(await messageFor('cc-switch.db')).toContain('whole path')
  expect(await messageFor(other, { 'x-forwarded-for': '203.0.113.9' })).toContain('on the machine')
})
