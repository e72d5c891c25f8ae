import { expect, onTestFinished, vi } from 'vitest'
import type { GatewayOptions } from '../../../../main/gateway.ts'
import {
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startManagement } from '../management.ts'

/** Two keys that look like a vendor's. */
export const KEYS = ['sk-first-0123456789abcd1111', 'sk-second-0123456789abc2222'] as const

/** An answer of a chat model. */
export const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-a',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
}

/** How a vendor refuses a key, and quotes it. */
export const badKey = (key: string): Reply => ({
  status: 401,
  body: { error: { message: `Incorrect API key provided: ${key}`, code: 'invalid_api_key' } },
})

/** An account without money. */
export const noQuota: Reply = {
  status: 429,
  body: { error: { message: 'You exceeded your current quota', type: 'insufficient_quota' } },
}

/** A vendor's own failure, which says nothing of the key. */
export const broken: Reply = { status: 500, body: { error: { message: 'Something broke' } } }

/** A gateway and its vendor. */
export interface Staged extends Management {
  upstream: ScriptedUpstream
  /** The answer to each key; any other key gets a completion. */
  answers: Record<string, Reply>
  /** Adds a channel of the vendor's that serves gpt-a; gives its id. */
  add(fields?: object): number
}

/**
 * A gateway that may disable channels at the first reason and enable them again, and a vendor that answers
 * by key. Channels never cool down here, so that each call goes where it says.
 */
export async function withVendor(
  answers: Record<string, Reply> = {},
  options: Partial<GatewayOptions> = {},
): Promise<Staged> {
  const upstream = await startUpstream(({ headers }) => {
    const key = String(headers.authorization).replace('Bearer ', '')
    return answers[key] ?? { body: completion }
  })
  onTestFinished(() => upstream.close())
  const management = await startManagement(options)
  management.gateway.parts.settings.update({
    AutomaticDisableChannelEnabled: true,
    AutomaticEnableChannelEnabled: true,
    ChannelDisableFailures: 1,
    ChannelFailureCount: 0,
  })
  const add = (fields: object = {}) =>
    management.gateway.parts.channels.create({
      type: 1,
      name: 'Vendor',
      key: KEYS[0],
      baseUrl: upstream.url,
      models: ['gpt-a'],
      ...fields,
    }).id
  return { ...management, upstream, answers, add }
}

type Running = Pick<Management, 'gateway'>

/** The status of a channel. */
export const statusOf = ({ gateway }: Running, id: number): number | undefined =>
  gateway.parts.channels.byId(id)?.status

/** The statuses of its keys. */
export const keyStatusesOf = ({ gateway }: Running, id: number): number[] | undefined =>
  gateway.parts.channels.byId(id)?.keyStates.map(({ status }) => status)

/** Why it has that status. */
export const reasonOf = ({ gateway }: Running, id: number): string =>
  JSON.parse(gateway.parts.channels.byId(id)?.otherInfo || '{}').status_reason

/** Waits until something holds. */
export const until = (holds: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(holds()).toBe(true), { timeout: 20_000, interval: 20 })

/** Events of the log, newest first. */
export const events = ({ gateway }: Running): { content: string; channelId: number }[] =>
  gateway.parts.ledger
    .list({ type: 4 }, { page: 1, pageSize: 10 })
    .items.map(({ content, channelId }) => ({ content, channelId }))

/** Makes a call for gpt-a; gives its status. */
export async function chat({ gateway }: Running, content = 'Hi'): Promise<number> {
  const { tokens } = gateway.parts
  const { key } =
    tokens.all().find(({ name }) => name === 'tool') ??
    tokens.create({ userId: 1, name: 'tool', unlimitedQuota: true })
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-a', messages: [{ role: 'user', content }] }),
  })
  await response.text()
  return response.status
}
