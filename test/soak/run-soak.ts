import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { INPUT_RATIO, OUTPUT_RATIO } from '../faults/stage.ts'
import { gatewayCommand } from '../support/gateway/gateway-command.ts'
import { type OwnerClient, setUpOwner } from '../support/gateway/owner-client.ts'
import { compareBooks } from './books.ts'
import { SILENCE, SOAK_MODEL, type TokenName, tokenNames } from './call-plan.ts'
import { makeCalls, type SeenCall } from './make-calls.ts'
import { readRows } from './read-rows.ts'
import { startChild } from './start-child.ts'
import type { CountedAttempt } from './upstream-process.ts'
import { filesOf, Vitals } from './vitals.ts'

export interface SoakResult {
  /** Lines for people: what ran, and how it went. */
  summary: string[]
  /** Expectations that failed, as sentences. */
  problems: string[]
}

const MEBIBYTE = 1024 * 1024
const MOST_GROWTH = 24 * MEBIBYTE
const MOST_LATENCY = 2000
const AT_ONCE = 64
/** Idle connections to vendors and from clients are closed by then. */
const QUIET = 7000
/** Units of the token that is used up: about half of what its calls would cost. */
const tightQuota = (calls: number): number => Math.round((calls / 20) * 400)

const isOnLinux = process.platform === 'linux'

async function setUp(owner: OwnerClient, vendors: string, calls: number) {
  const limits = { connect_seconds: 10, first_byte_seconds: SILENCE, idle_seconds: SILENCE }
  const channel = (name: string, type: number, endpoint: string, fields: object) => ({
    mode: 'single',
    channel: {
      ...{ name, type, base_url: `${vendors}/${name}`, models: SOAK_MODEL, key: `sk-soak-${name}` },
      settings: JSON.stringify({ endpoint_types: [endpoint], ...limits }),
      ...fields,
    },
  })
  await owner.ask('POST', '/api/channel/', channel('a', 1, 'openai', { priority: 10, weight: 1 }))
  await owner.ask('POST', '/api/channel/', {
    ...channel('b', 14, 'anthropic', {
      ...{ priority: 10, weight: 1 },
      key: 'sk-soak-b-1\nsk-soak-b-2\nsk-soak-b-3',
    }),
    mode: 'multi_to_single',
    multi_key_mode: 'polling',
  })
  await owner.ask('POST', '/api/channel/', channel('c', 24, 'gemini', { priority: 0 }))
  const options: Record<string, unknown> = {
    ModelRatio: { [SOAK_MODEL]: INPUT_RATIO },
    CompletionRatio: { [SOAK_MODEL]: OUTPUT_RATIO },
    RetryOnTimeout: true,
    // One vendor fails in a quarter of its attempts: in cooldown it would get no more calls.
    ChannelFailureCount: 0,
  }
  for (const [key, value] of Object.entries(options)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    await owner.ask('PUT', '/api/option/', { key, value: text })
  }
  const fields: Record<TokenName, object> = {
    open: { unlimited_quota: true },
    granted: { unlimited_quota: false, remain_quota: 1_000_000_000 },
    budget: { unlimited_quota: true, day_budget: 1_000_000_000, month_budget: 1_000_000_000 },
    tight: { unlimited_quota: false, remain_quota: tightQuota(calls) },
  }
  const keys: Partial<Record<TokenName, string>> = {}
  for (const name of tokenNames) {
    const token = await owner.ask<{ key: string }>('POST', '/api/token/', {
      name,
      ...fields[name],
    })
    keys[name] = token.key
  }
  return keys as Record<TokenName, string>
}

interface Sums {
  items: { name: string; used_quota: number }[]
}

async function sumsOf(owner: OwnerClient, path: string): Promise<Record<string, number>> {
  const { items } = await owner.ask<Sums>('GET', `${path}?p=1&page_size=100`)
  return Object.fromEntries(items.map(({ name, used_quota }) => [name, used_quota]))
}

async function capturedBytes(owner: OwnerClient): Promise<number> {
  const { memory } = await owner.ask<{ memory: { bytes: number } }>('GET', '/api/captures')
  return memory.bytes
}

const countsOf = (calls: readonly SeenCall[]): string =>
  (['whole', 'refused', 'cut', 'left', 'wrong'] as const)
    .map((outcome) => `${calls.filter((one) => one.outcome === outcome).length} ${outcome}`)
    .join(', ')

/** Some time after the last call the process has no more open files than before. */
async function checkQuiet(pid: number, before: number, problems: string[]): Promise<string> {
  if (!isOnLinux) return ''
  const until = performance.now() + QUIET
  // Its log, its ledger, the owner's own connection.
  const allowed = before + 4
  while (filesOf(pid) > allowed && performance.now() < until) await sleep(100)
  const files = filesOf(pid)
  if (files > allowed) problems.push(`${files} open files after all calls, ${before} before`)
  return `${before} open files before, ${files} after`
}

/** Runs `count` calls through a gateway in a process of its own and compares all books at the end. */
export async function runSoak(
  count: number,
  progress: (line: string) => void,
): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-soak-'))
  const problems: string[] = []
  const summary: string[] = []
  const vendors = await startChild([
    '--import',
    'tsx',
    join(import.meta.dirname, 'upstream-process.ts'),
  ])
  const command = gatewayCommand()
  if (command.length > 1)
    progress('No build, or an older one: it runs from source, which takes some 50 MiB more.')
  const gateway = await startChild(
    [...command, '--port', '0', '--data-dir', folder],
    // With a small heap, memory shows what the gateway itself keeps.
    { NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=160' },
  )
  try {
    const owner = await setUpOwner(gateway.url)
    const keys = await setUp(owner, vendors.url, count)
    const calls: SeenCall[] = []
    const before = isOnLinux ? filesOf(gateway.pid) : 0
    const vitals = isOnLinux
      ? new Vitals(
          gateway.pid,
          `${gateway.url}/api/status`,
          () => capturedBytes(owner),
          () => calls.length,
        )
      : null
    const began = performance.now()
    await makeCalls(gateway.url, keys, count, AT_ONCE, (call) => {
      calls.push(call)
      if (calls.length % 10_000 === 0) progress(`${calls.length} of ${count} calls …`)
    })
    const seconds = (performance.now() - began) / 1000
    vitals?.stop()
    summary.push(`${count} calls in ${Math.round(seconds)} s: ${countsOf(calls)}`)
    if (vitals) {
      summary.push(vitals.summary())
      if (vitals.growth > MOST_GROWTH)
        problems.push(`memory has grown by ${Math.round(vitals.growth / MEBIBYTE)} MiB`)
      if (vitals.longestLatency > MOST_LATENCY)
        problems.push(`the status took ${Math.round(vitals.longestLatency)} ms`)
    }
    const files = await checkQuiet(gateway.pid, before, problems)
    if (files) summary.push(files)
    const tokens = await sumsOf(owner, '/api/token/')
    const channels = await sumsOf(owner, '/api/channel/')
    const attempts = (await (await fetch(`${vendors.url}/report`)).json()) as CountedAttempt[]
    const code = await gateway.stop()
    if (code !== 0) problems.push(`the gateway ended with ${code}`)
    const rows = readRows(folder)
    const units = rows.reduce((sum, { quota }) => sum + quota, 0)
    summary.push(`${attempts.length} attempts, ${rows.length} rows, ${units} units`)
    problems.push(...compareBooks({ calls, rows, attempts, tokens, channels }))
  } finally {
    await Promise.all([gateway.stop(), vendors.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
  return { summary, problems }
}
