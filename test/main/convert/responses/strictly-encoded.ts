import type { GatewayError } from '../../../../main/base/errors.ts'
import type { ExchangeRequest, Part, Turn } from '../../../../main/convert/exchange.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { type ModelRules, modelRules } from '../../../../main/convert/model/model-rules.ts'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import { IssuedStates } from '../../../support/strict/answers/issued-state.ts'
import { checkResponses } from '../../../support/strict/requests/check-responses.ts'

export type Json = Record<string, unknown>

export const turn = (role: Turn['role'], ...parts: Part[]): Turn => ({
  role,
  parts,
  at: `m.${role}`,
})
export const text = (value: string): Part => ({ type: 'text', text: value, at: 'm.text' })
export const call = (id: string | null, name: string, args = '{}'): Part => ({
  type: 'call',
  id,
  name,
  kind: 'function',
  arguments: args,
})
export const result = (
  callId: string | null,
  name: string,
  value: string,
  isError = false,
): Part => ({
  type: 'result',
  callId,
  name,
  kind: 'function',
  isError,
  parts: [{ type: 'text', text: value }],
})

export interface Options {
  model?: string
  rules?: Partial<ModelRules>
}

/** A request of Claude's format unless said otherwise, as the strictest vendor takes it. */
export function encode(
  request: Partial<ExchangeRequest>,
  { model = 'gpt-5.6', rules = {} }: Options = {},
): { body: Json; input: Json[]; losses: string[] } {
  const loss = new Loss()
  const whole: ExchangeRequest = {
    origin: 'messages',
    model,
    stream: true,
    turns: [turn('user', text('Hi'))],
    tools: [],
    ...request,
  }
  const target = { model, rules: modelRules('responses', model, rules), loss }
  const body = responsesConversion.encodeRequest(whole, target)
  checkResponses(JSON.parse(JSON.stringify(body)), new IssuedStates())
  const losses = loss.entries.map(({ kind, path }) => `${kind} ${path}`)
  return { body, input: body.input as Json[], losses }
}

export function fieldAtFault(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    return (error as GatewayError).field
  }
  return undefined
}
