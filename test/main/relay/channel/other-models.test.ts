import { expect, test } from 'vitest'
import { goodAnswer, startStage } from '../2-route/routing-stage.ts'

test.each([
  ['its own name for it', 'vendor-cheap'],
  ['the name that was asked for', 'cheap'],
])(
  'a call that names two models is charged by the one that answered, where the vendor tells %s',
  async (_what, told) => {
    const stage = await startStage({ ModelRatio: { cheap: 1, dear: 100 } })
    stage.add('a', { models: ['cheap', 'dear'], modelMapping: { cheap: 'vendor-cheap' } })
    stage.script('a', { body: { ...goodAnswer.chat, model: told } })
    const answer = await stage.call('chat', { model: 'dear', more: { models: ['cheap'] } })
    const [row] = stage.pair.rowsOf(answer)
    expect(JSON.parse(row?.other ?? '{}').answered_models).toEqual(['cheap'])
    expect(row?.quota).toBeLessThan(100)
  },
)
