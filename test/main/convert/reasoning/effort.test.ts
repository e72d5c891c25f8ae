import { describe, expect, test } from 'vitest'
import type { ReasoningRequest } from '../../../../main/convert/exchange.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { fittedEffort } from '../../../../main/convert/reasoning/effort.ts'

function fitted(reasoning: ReasoningRequest, efforts: readonly ('none' | 'low' | 'high')[]) {
  const loss = new Loss({ reasoning: 'thinking' })
  const rules = modelRules('chat', 'some-model', { efforts: [...efforts] })
  const effort = fittedEffort(reasoning, { model: 'some-model', rules, loss }, 'reasoning_effort')
  return { effort, losses: loss.entries.map(({ kind, note }) => `${kind}: ${note}`) }
}

describe('an effort for OpenAI’s formats', () => {
  test('that the model takes is sent as it was asked, and nothing is noted', () => {
    expect(fitted({ effort: 'low' }, ['low', 'high'])).toEqual({ effort: 'low', losses: [] })
  })

  test('that the model does not take becomes the nearest, and the client is told', () => {
    const expected = { effort: 'low', losses: ['approximated: sent as reasoning_effort low'] }
    expect(fitted({ effort: 'medium' }, ['low', 'high'])).toEqual(expected)
    // The model cannot switch reasoning off, and takes another effort than the one sent.
    expect(fitted({ mode: 'off', effort: 'low' }, ['low', 'high'])).toEqual(expected)
  })

  test('of a model that takes none is left out, and the client is told', () => {
    const losses = ['dropped: this model takes no reasoning effort']
    expect(fitted({ effort: 'high' }, [])).toEqual({ effort: undefined, losses })
  })
})
