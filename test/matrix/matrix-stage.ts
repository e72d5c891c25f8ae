import type { WireFormat } from '../../main/convert/exchange.ts'
import { endpointOf } from '../faults/stage.ts'
import { startTestGateway, type TestGateway } from '../support/gateway/start-test-gateway.ts'
import {
  type RecordedRequest,
  type Reply,
  startUpstream,
} from '../support/upstreams/scripted-upstream.ts'

/** A gateway and an upstream that one cell at a time has for itself. */
export interface Lane {
  gateway: TestGateway
  /** The upstream itself, to be asked without the gateway. */
  direct: string
  /** Sets the upstream's answer from now on. */
  answer(reply: Reply): void
  /** The newest request to the upstream. */
  last(): RecordedRequest
  /** The name under which a call reaches an upstream of this format. */
  modelOf(format: WireFormat): string
  /** The same of a channel that no call before has hurt. */
  newModelOf(format: WireFormat): string
}

export const formats = Object.keys(endpointOf) as WireFormat[]

/** Starts a gateway with `count` lanes. */
export async function startLanes(
  count: number,
): Promise<{ lanes: readonly Lane[]; close(): Promise<void> }> {
  const gateway = await startTestGateway()
  // Only a vendor's answers are under test, not its channel's health.
  gateway.set({ RetryTimes: 0, ChannelDisableFailures: 100, AutomaticDisableChannelEnabled: false })
  const upstreams: { close(): Promise<void> }[] = []
  const lanes: Lane[] = []
  for (let index = 0; index < count; index++) {
    let reply: Reply = {}
    const upstream = await startUpstream(() => reply)
    upstreams.push(upstream)
    const modelOf = (format: WireFormat) => `lane-${index}-${format}`
    const add = (format: WireFormat, model: string): string => {
      const { type, endpoint } = endpointOf[format]
      gateway.addChannel({
        ...{ type, name: model, baseUrl: upstream.url, models: [model] },
        settings: { endpoint_types: [endpoint] },
      })
      return model
    }
    for (const format of formats) add(format, modelOf(format))
    let added = 0
    lanes.push({
      ...{ gateway, direct: upstream.url, modelOf, last: () => upstream.last() },
      newModelOf: (format) => add(format, `${modelOf(format)}-${++added}`),
      answer: (next) => {
        reply = next
        upstream.requests.length = 0
      },
    })
  }
  return {
    lanes,
    async close() {
      await Promise.all([gateway.close(), ...upstreams.map((one) => one.close())])
    },
  }
}
