import { describe, expect, test } from 'vitest'
import { pass } from '../../../support/strict/loops/through.ts'

const claudeCall = {
  max_tokens: 100,
  thinking: { type: 'disabled' },
  messages: [{ role: 'user', content: 'Name this chat.' }],
}
const sent = (model: string, more: Record<string, unknown> = {}) => {
  const { body, losses } = pass('messages', 'chat', { ...claudeCall, model, ...more }, { model })
  const { thinking, enable_thinking, reasoning_effort } = body
  return { fields: { thinking, enable_thinking, reasoning_effort }, losses }
}

describe('a client that wants no thoughts gets none from a model that thinks unasked', () => {
  test.each(['deepseek-v4-flash', 'glm-4.7', 'glm-5.2', 'kimi-k2.6', 'MiniMax-M3'])(
    '%s',
    (model) => {
      expect(sent(model)).toEqual({ fields: { thinking: { type: 'disabled' } }, losses: [] })
    },
  )

  test('qwen3.7-plus', () => {
    expect(sent('qwen3.7-plus')).toEqual({ fields: { enable_thinking: false }, losses: [] })
  })

  test('as an OpenAI client or a Gemini client says it', () => {
    const model = 'deepseek-v4-flash'
    const asked = { model, input: 'Hi', reasoning: { effort: 'none' } }
    const ofResponses = pass('responses', 'chat', asked, { model })
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
    const generationConfig = { thinkingConfig: { thinkingBudget: 0 } }
    const ofGemini = pass('generate-content', 'chat', { contents, generationConfig }, { model })
    for (const { body } of [ofResponses, ofGemini]) {
      expect(body.thinking).toEqual({ type: 'disabled' })
      expect(body).not.toHaveProperty('reasoning_effort')
    }
  })
})

test('an effort beside thoughts that are off stays away from DeepSeek, which refuses the two together', () => {
  const { fields, losses } = sent('deepseek-v4-pro', { output_config: { effort: 'max' } })
  expect(fields).toEqual({ thinking: { type: 'disabled' } })
  expect(losses).toMatchObject([{ kind: 'approximated', path: 'thinking' }])
})

test.each(['glm-5.3', 'kimi-k3', 'kimi-k2.7-code', 'MiniMax-M2.7'])(
  '%s, which thinks anyway, isn’t told otherwise, and the loss is named',
  (model) => {
    const { fields, losses } = sent(model)
    expect(fields).not.toHaveProperty('thinking.type')
    expect(losses).toMatchObject([{ path: 'thinking' }])
  },
)

describe('a call that the client demands', () => {
  const tools = ['find', 'save'].map((name) => ({ name, input_schema: { type: 'object' } }))
  const tool_choice = { type: 'tool', name: 'save' }
  const demand = (model: string, more: Record<string, unknown> = {}) => {
    const { thinking: _thinking, ...call } = claudeCall
    const asked = { ...call, model, tools, tool_choice, ...more }
    const { body, losses } = pass('messages', 'chat', asked, { model })
    return { body, losses: losses.map(({ kind, path }) => `${kind} ${path}`) }
  }
  const named = { type: 'function', function: { name: 'save' } }

  test.each(['deepseek-v4-pro', 'kimi-k2.6', 'qwen3.7-plus'])(
    'is made by %s, which refuses it while it thinks, without thoughts',
    (model) => {
      const { body, losses } = demand(model)
      expect(body.tool_choice).toEqual(named)
      const off = { thinking: { type: 'disabled' }, enable_thinking: false }
      expect(off).toMatchObject({ thinking: body.thinking ?? off.thinking })
      expect(body.thinking ?? body.enable_thinking).toBeDefined()
      expect(losses).toEqual(['approximated tool_choice'])
    },
  )

  test.each(['deepseek-v4-pro', 'qwen3.7-plus'])(
    'stays a wish where the client wants thoughts of %s, too',
    (model) => {
      const { body, losses } = demand(model, {
        max_tokens: 9000,
        thinking: { type: 'enabled', budget_tokens: 3000 },
      })
      expect(body.tool_choice).toBe('auto')
      expect(body.thinking ?? body.enable_thinking).toBeUndefined()
      expect(losses).toContain('approximated tool_choice')
    },
  )

  test('is made by kimi-k3, which takes no name of a tool, as there is no other tool', () => {
    const { body, losses } = demand('kimi-k3')
    expect(body.tool_choice).toBe('required')
    expect(body.tools).toMatchObject([named])
    expect(losses).toEqual(['approximated tool_choice'])
  })

  test('stays a wish at kimi-k2.7-code, which always thinks', () => {
    expect(demand('kimi-k2.7-code').body.tool_choice).toBe('auto')
  })
})

describe('as vendors of one kind of model say it', () => {
  const effort = (model: string, output_config: object) => {
    const thinking = { type: 'adaptive' }
    return sent(model, { thinking, output_config }).fields
  }

  test.each([
    'doubao-seed-1-6-flash-250828',
    'doubao-seed-1-8-251228',
    'doubao-seed-2-0-pro-260215',
    'doubao-seed-2.0-lite',
    'xiaomi/mimo-v2.5-pro',
  ])('%s: by its switch alone', (model) => {
    expect(sent(model)).toEqual({ fields: { thinking: { type: 'disabled' } }, losses: [] })
  })

  test('doubao-seed-2-0-pro: an effort goes without the switch, which refuses one', () => {
    expect(effort('doubao-seed-2-0-pro-260215', { effort: 'max' })).toEqual({
      reasoning_effort: 'max',
    })
    const off = sent('doubao-seed-2-0-pro-260215', { output_config: { effort: 'high' } })
    expect(off.fields).toEqual({ thinking: { type: 'disabled' } })
  })

  test.each([
    ['step-3.7-flash', 'medium'],
    ['step-3.5-flash-2603', 'low'],
  ])('%s: an effort that it has', (model, spoken) => {
    expect(effort(model, { effort: 'medium' })).toEqual({ reasoning_effort: spoken })
  })

  test.each([
    'doubao-seed-1-6-thinking-250715',
    'hunyuan-2.0-thinking-20251109',
    'hunyuan-t1-latest',
    'ernie-x1-turbo-32k',
    'ernie-5.0-thinking-latest',
    'step-3.5-flash',
  ])('%s thinks whatever it’s told: nothing is sent, and the loss is named', (model) => {
    const { fields, losses } = sent(model)
    expect(fields).toEqual({})
    expect(losses).toMatchObject([{ path: 'thinking' }])
  })

  test.each(['doubao-seed-character-260628', 'hy3-preview', 'ernie-4.5-turbo-vl'])(
    '%s thinks only when told: nothing is sent, and nothing lost',
    (model) => {
      expect(sent(model)).toEqual({ fields: {}, losses: [] })
    },
  )

  test('mimo-v2.5-pro gets the thoughts before its calls back, even where they are lost', () => {
    const model = 'mimo-v2.5-pro'
    const messages = [
      { role: 'user', content: 'Find it.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'find', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Here.' }] },
    ]
    const tools = [{ name: 'find', input_schema: { type: 'object' } }]
    const { body } = pass('messages', 'chat', { model, max_tokens: 9, messages, tools }, { model })
    expect(body.messages).toContainEqual(expect.objectContaining({ reasoning_content: '' }))
  })
})
