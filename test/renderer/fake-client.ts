import type {
  CallName,
  OperationInput,
  PushedEvent,
  Reason,
  StreamEvent,
} from '../../preload/contract.ts'
import { CallFailure } from '../../renderer/gateway/call-failure.ts'
import type { GatewayClient, Reply } from '../../renderer/gateway/client.ts'
import type { CatalogueEntry } from '../../renderer/gateway/records.ts'
import { machineView } from './pages/connect/tool-views.ts'

type Answers = Partial<{ [Name in CallName]: (input: never) => unknown }>

export interface FakeGateway extends GatewayClient {
  /** The calls so far, in order. */
  readonly calls: { name: string; input: unknown }[]
  /** The streams that were opened. */
  readonly streams: {
    name: string
    input: unknown
    send: (event: StreamEvent) => void
    cancelled: boolean
  }[]
  /** Replaces what an operation answers. */
  answer<Name extends CallName>(name: Name, run: (input: OperationInput<Name>) => unknown): void
  push(event: PushedEvent): void
}

const page = (items: unknown[] = []) => ({ page: 1, page_size: 50, total: items.length, items })

/** A gateway with nothing against it. */
export const goodHealth = {
  status: 'ok',
  warnings: [],
  version: '0.1.0',
  node: '20.20.2',
  platform: 'linux',
  uptime: 93_784,
  memory: { rss: 120_000_000, heap_used: 60_000_000 },
  event_loop: { mean_ms: 0.4, p99_ms: 3.2, max_ms: 12 },
  calls: { active: 3, waiting: 0, limit: 1000 },
  connections: 5,
  ledger: { problem: null, rows_waiting: 0, size: 4_194_304 },
  state: { problem: null, size: 20_480 },
  disk: { free: 5_368_709_120 },
  upstream: { sockets: null },
  log: { path: null },
}

/** Answers of a gateway that serves more people than its owner. */
export const shared: Answers = {
  'server.get': () => ({
    ...{ url: 'http://127.0.0.1:4747', ledger_problem: null, started_at: 1 },
    shared: true,
  }),
}

/** An entry of the playground's list. */
export const model = (id: string, fields: Partial<CatalogueEntry> = {}): CatalogueEntry => ({
  id,
  display_name: id,
  capabilities: ['chat'],
  vendor: 'Echo',
  context: null,
  max_output: null,
  calls_tools: null,
  price: null,
  channels: [],
  ...fields,
})

const usual: Answers = {
  'setup.status': () => ({ status: true, root_init: true, database_type: 'sqlite' }),
  'user.self': () => ({ id: 1, username: 'owner', role: 100, has_password: true }),
  'server.get': () => ({ url: 'http://127.0.0.1:4747', ledger_problem: null, started_at: 1 }),
  'channel.list': () => page(),
  'channel.search': () => page(),
  'channel.presets': () => [],
  'channel.health': () => [],
  'diagnostics.health': () => goodHealth,
  'channel.preview-url': () => ({ urls: [] }),
  'route.list': () => [],
  'token.list': () => page(),
  'connect.tools': () => ({ local: true, machine: machineView(), tools: [] }),
  'call.list': () => page(),
  'call.timeline': () => ({ rows: [], next: null, newest: 'start' }),
  'call.news': () => ({ count: 0 }),
  'call.suggest': () => ({ values: [] }),
  'channel.recent': () => ({ start: 0, step: 60, steps: 15, known_from: 0, channels: [] }),
  'usage.summary': () => ({ start: 0, end: 0, step: 'all', rows: [] }),
  'call.stat': () => ({
    quota: 0,
    rpm: 0,
    tpm: 0,
    calls: 0,
    errors: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
  }),
  'user.models': () => ['echo'],
  'user.self-groups': () => ({ default: { ratio: 1, desc: 'default' } }),
  'group.list': () => ['default'],
  'topup.list': () => page(),
  'topup.list-self': () => page(),
  'playground.catalogue': () => [model('echo')],
  'option.list': () => [],
  'desktop.get': () => ({
    available: false,
    in_window: false,
    login: null,
    update: null,
    chromium: null,
  }),
}

/** The gateway as the console sees it, in memory. An answer that is a promise may stay open. */
export function createFakeGateway(answers: Answers = {}): FakeGateway {
  const table: Record<string, ((input: never) => unknown) | undefined> = { ...usual, ...answers }
  const listeners = new Map<string, Set<() => void>>()
  const calls: FakeGateway['calls'] = []
  const streams: FakeGateway['streams'] = []
  return {
    transport: 'http',
    calls,
    streams,
    answer(name, run) {
      table[name] = run as (input: never) => unknown
    },
    push(event) {
      for (const listener of listeners.get(event) ?? []) listener()
    },
    async call(name, input) {
      calls.push({ name, input })
      const run = table[name]
      if (!run) throw new CallFailure({ code: 'not_found', message: `No ${name}.`, status: 404 })
      const data = await run(input as never)
      return { data, message: '', extra: {} } as Reply<never>
    },
    stream(name, input, onEvent) {
      const stream = { name, input, send: onEvent, cancelled: false }
      streams.push(stream)
      return () => {
        stream.cancelled = true
      }
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set.add(listener))
      return () => set.delete(listener)
    },
  }
}

/** A refusal as the gateway words it. */
export function refuse(
  message: string,
  field?: string,
  status = 400,
  data?: unknown,
  reason?: Reason,
): never {
  throw new CallFailure({ code: 'invalid_params', message, field, status, data, reason })
}
