import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { RouteFields, RouteTarget } from '../../../../main/store/records/routes.ts'
import type { Whole } from '../../../support/gateway/pair.ts'
import { refusal, type Stage, speaking, startStage } from './routing-stage.ts'

export const broken = refusal(500, 'Broken.')

export const target = (model: string, more: Partial<RouteTarget> = {}): RouteTarget => ({
  model,
  channelId: null,
  tag: null,
  weight: 0,
  ...more,
})

export const route = (stage: Stage, fields: Partial<RouteFields> = {}) =>
  stage.pair.gateway.parts.routes.create({
    name: 'best',
    targets: [target('model-a'), target('model-b')],
    ...fields,
  })

/** A channel for each of three models, all of one format. */
export async function staged(format: WireFormat = 'chat', settings = {}): Promise<Stage> {
  const stage = await startStage(settings)
  for (const name of ['a', 'b', 'c'])
    stage.add(name, { ...speaking(format), models: [`model-${name}`] })
  return stage
}

export const rowOf = ({ pair }: Stage, answer: Whole) => {
  const [row] = pair.rowsOf(answer)
  if (!row) throw new Error('The call left no row.')
  return { ...row, facts: JSON.parse(row.other) }
}

export const best = { model: 'best' }
export const modelsAsked = ({ pair }: Stage) =>
  pair.upstream.requests.map((one) => {
    const inUrl = /models\/([^:]+):/.exec(one.url)?.[1]
    return inUrl ?? (one.json() as { model?: string }).model
  })
