import { onTestFinished } from 'vitest'
import type { GatewayOptions } from '../../../../main/gateway.ts'
import type { ChannelFields } from '../../../../main/store/records/channels.ts'
import { agentVendor } from '../../../support/upstreams/agent-vendor.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startAgain, startManagement, type Visitor } from '../management.ts'

export interface SessionStage extends Management {
  vendor: ScriptedUpstream
  /** `sk-…` of the owner's token. */
  key: string
  /** Makes a call with a token of the owner's; gives its request id. */
  call(path: string, body: object, headers?: Record<string, string>): Promise<string>
  addChannel(fields: Partial<ChannelFields>): void
  sessions(visitor?: Visitor, query?: string): Promise<ReturnType<typeof JSON.parse>[]>
  doctor(id: string): Promise<ReturnType<typeof JSON.parse>>
}

/** A gateway before a vendor that caches prompts. */
export async function startSessionStage(
  options: Partial<GatewayOptions> = {},
): Promise<SessionStage> {
  const management = await startManagement(options)
  const vendor = await startUpstream(agentVendor())
  onTestFinished(() => vendor.close())
  const { users, tokens } = management.gateway.parts
  const [user] = users.all()
  const token = tokens.create({
    ...{ userId: user?.id ?? 0, name: 'laptop', unlimitedQuota: true },
  })
  return stageOf(management, vendor, `sk-${token.key}`)
}

/** Ends the gateway, which has this folder, and starts another on it. */
export async function restartSessionStage(
  { gateway, vendor, key }: SessionStage,
  dataFolder: string,
): Promise<SessionStage> {
  await gateway.close()
  return stageOf(await startAgain({ dataFolder }), vendor, key)
}

function stageOf(management: Management, vendor: ScriptedUpstream, key: string): SessionStage {
  const { gateway, owner } = management
  const { parts, url } = gateway
  return {
    ...management,
    vendor,
    key,
    addChannel(fields) {
      parts.channels.create({
        ...{ type: 14, name: 'vendor', key: 'vendor-key', baseUrl: vendor.url },
        ...{ models: ['claude-opus-5'], groups: ['default'], ...fields },
      })
    },
    async call(path, body, headers = {}) {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(path.includes('messages') ? { 'anthropic-version': '2023-06-01' } : {}),
          ...headers,
        },
        body: JSON.stringify(body),
      })
      await answer.text()
      if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
      return String(answer.headers.get('x-oneapi-request-id'))
    },
    async sessions(visitor = owner, query = '') {
      const { body } = await visitor.get(`/api/sessions${query}`)
      return body.data.sessions
    },
    async doctor(id) {
      const { body } = await owner.get(`/api/sessions/${encodeURIComponent(id)}/doctor`)
      return body.data
    },
  }
}
