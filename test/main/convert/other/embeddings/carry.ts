import type { OtherFormat } from '../../../../../main/convert/call-format.ts'
import { Loss } from '../../../../../main/convert/loss.ts'
import type { BridgeAnswer, FormatBridge } from '../../../../../main/convert/other/bridge.ts'
import type { Json } from '../../../../support/strict/requests/refusal.ts'

/** The way between two formats; throws where the list has none. */
export function wayIn(
  ways: readonly FormatBridge[],
  from: OtherFormat,
  to: OtherFormat,
): FormatBridge {
  const way = ways.find((one) => one.from === from && one.to === to)
  if (!way) throw new Error(`no way from ${from} to ${to}`)
  return way
}

export interface Carried extends BridgeAnswer {
  /** The bodies sent to the vendor. */
  bodies: readonly Json[]
  /** The client's answer, parsed. */
  json: Json
  /** `dropped user`, one for each. */
  losses: readonly string[]
}

/** Takes a client's body to a vendor and its answers back, as the relay does, without a network. */
export function carry(
  way: FormatBridge,
  body: Json,
  vendor: (body: Json) => unknown,
  { model = 'there', asked = 'asked-for' }: { model?: string; asked?: string } = {},
): Carried {
  const loss = new Loss()
  const target = { model, loss, settings: {} }
  const request = { format: way.from, model: asked, stream: false, body, files: [] }
  const bodies = way.encode(request, target).map((one) => JSON.parse(JSON.stringify(one)) as Json)
  const answers = bodies.map((one) => Buffer.from(JSON.stringify(vendor(one))))
  const answer = way.decode(answers, request, target)
  const losses = loss.entries.map(({ kind, path }) => `${kind} ${path}`)
  return { ...answer, bodies, json: JSON.parse(String(answer.body)) as Json, losses }
}
