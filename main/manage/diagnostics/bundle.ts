import { z } from 'zod'
import { sinkOf } from '../../base/log/log.ts'
import { redact } from '../../base/log/redact.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import { defaultSettings } from '../../store/state/default-settings.ts'
import { isSecretSetting } from '../../store/state/settings.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation } from '../operation/operation.ts'
import { healthRecord, readHealth } from './health.ts'

/** Failed calls that are shown. */
const CALLS = 100

const facts = z.record(z.string(), z.unknown())

const bundle = z
  .strictObject({
    made_at: z.string().describe('ISO 8601.'),
    health: healthRecord,
    server: z.strictObject({
      host: z.string(),
      port: z.int(),
      electron: z.string().nullable(),
    }),
    options: facts.describe('Those that are not as they were at first; secrets never.'),
    channels: z.array(facts).describe('Without keys, headers and parameters.'),
    failed_calls: z.array(facts).describe('The last ones, the newest first; without their bodies.'),
    log: z.array(z.string()).describe('The last lines, the oldest first.'),
  })
  .meta({ id: 'DiagnosticBundle' })

type Bundle = z.output<typeof bundle>

function changedOptions({ settings }: GatewayParts): Record<string, unknown> {
  const standard: Readonly<Record<string, unknown>> = { ...defaultSettings }
  return Object.fromEntries(
    Object.entries(settings.current)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(standard[name]))
      .map(([name, value]) => [name, isSecretSetting(name) ? '(set)' : value]),
  )
}

/** Host and port of a URL: its path, query and name may say who somebody is. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')

const channelsOf = ({ channels, health }: GatewayParts): Bundle['channels'] =>
  channels.all().map((channel) => ({
    id: channel.id,
    type: channel.type,
    preset: channel.preset,
    status: channel.status,
    origin: originOf(channel.baseUrl),
    models: channel.models.length,
    groups: channel.groups.length,
    priority: channel.priority,
    weight: channel.weight,
    auto_ban: channel.autoBan,
    keys: channel.key === '' ? 0 : channel.key.split('\n').length,
    key_unreadable: channel.keyUnreadable && !channel.isLocked,
    key_locked: channel.isLocked,
    key_states: channel.keyStates.map(({ status, reason, time }) => ({ status, reason, time })),
    has_proxy: Boolean(channel.setting.proxy),
    endpoint_types: channel.settings.endpoint_types ?? null,
    status_info: channel.otherInfo,
    circuits: health.circuits(channel.id).map(({ key: _key, ...circuit }) => circuit),
  }))

/** A failed call without names and addresses, since strangers may read the bundle. */
const failedCall = (row: StoredCall): Record<string, unknown> => ({
  created_at: row.createdAt,
  request_id: row.requestId,
  channel: row.channelId,
  model: row.model,
  status: row.status,
  use_time_ms: row.useTime,
  is_stream: row.isStream,
  message: row.content,
  other: row.other,
})

async function makeBundle(parts: GatewayParts): Promise<Bundle> {
  const { host, port } = parts.address()
  const made: Bundle = {
    made_at: new Date().toISOString(),
    health: await readHealth(parts),
    server: { host, port, electron: parts.electron },
    options: changedOptions(parts),
    channels: channelsOf(parts),
    failed_calls: lastFailed(parts),
    log: sinkOf(parts.log)?.recent() ?? [],
  }
  // Vendors' and users' texts may quote a secret: known ones are redacted.
  // Each text for itself, so that a key of digits breaks no number.
  return JSON.parse(JSON.stringify(made), (_name, value: unknown) =>
    typeof value === 'string' ? redact(value) : value,
  ) as Bundle
}

/** None where the ledger cannot be read: that is when a bundle is needed most. */
function lastFailed({ ledger }: GatewayParts): Bundle['failed_calls'] {
  try {
    return ledger.list({ type: 5 }, { page: 1, pageSize: CALLS }).items.map(failedCall)
  } catch {
    return []
  }
}

/** All that helps to find a fault, in one object without secrets. */
export const bundleOperation = defineOperation({
  name: 'diagnostics.bundle',
  summary:
    'Gives all that helps to find a fault, to be saved and handed on: no key or password is in it.',
  access: 'root',
  http: { method: 'GET', path: '/api/diagnostics/bundle' },
  input: z.object({}),
  output: bundle,
  run: (_input, { parts }) => makeBundle(parts),
})
