import { expect, test } from 'vitest'
import { cacheCause } from '../../../../main/inspect/sessions/cache-cause.ts'
import { CacheDoctor } from '../../../../main/inspect/sessions/cache-doctor.ts'
import { comparePrompts } from '../../../../main/inspect/sessions/compare-prompts.ts'
import { readPrompt } from '../../../../main/inspect/sessions/prompt-pieces.ts'
import type { SessionCall } from '../../../../main/inspect/sessions/session-call.ts'

const MINUTE = 60_000
const LONG = 'Take care of the files. '.repeat(300)
const mark = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl ? { ttl } : {}) } })

const first: SessionCall = {
  ...{ requestId: 'r1', startedAt: 0, endedAt: MINUTE, model: 'm', channelId: 1, keyIndex: 0 },
  ...{ format: 'messages', isError: false, input: 5000, cachedInput: 0, cacheWrite: 5000 },
  ...{ agent: null, isBackground: false, isEstimated: false },
}
const second: SessionCall = { ...first, requestId: 'r2', startedAt: 2 * MINUTE }

const body = (fields: object = {}, marks: object = mark()) => ({
  system: [{ type: 'text', text: LONG, ...marks }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }],
  ...fields,
})

function causeOf(
  call: Partial<SessionCall>,
  before: object = body(),
  now: object = body(),
  facts = { minimum: 1024, isEverCached: true },
) {
  const [one, other] = [readPrompt(before), readPrompt(now)]
  const [earlier, later] = [
    { call: { ...first, ...(call.format ? { format: call.format } : {}) }, prompt: one },
    { call: { ...second, ...call }, prompt: other },
  ]
  return cacheCause(earlier, later, comparePrompts(one, other), facts)
}

const billing = (hash: string) =>
  body({
    system: [
      { type: 'text', text: `x-anthropic-billing-header: cc_version=2.1; cch=${hash};` },
      { type: 'text', text: LONG, ...mark() },
    ],
  })

test.each<[string, string, string]>([
  ['the model', causeOf({ model: 'n' }), 'other-model'],
  ['the channel', causeOf({ channelId: 2 }), 'other-channel'],
  ['the key', causeOf({ keyIndex: 1 }), 'other-key'],
  ['six minutes without a call', causeOf({ startedAt: 7 * MINUTE }), 'expired'],
  [
    'less than five minutes since the last answer ended is none, so nothing is known',
    causeOf({ startedAt: 5.5 * MINUTE }),
    'unknown',
  ],
  [
    'six minutes with a mark for an hour are none, so nothing is known',
    causeOf({ startedAt: 7 * MINUTE }, body({}, mark('1h')), body({}, mark('1h'))),
    'unknown',
  ],
  [
    'six minutes with a mark for an hour at the call before are none either',
    causeOf({ startedAt: 7 * MINUTE }, body({}, mark('1h')), body()),
    'unknown',
  ],
  ['an hour at OpenAI', causeOf({ format: 'responses', startedAt: 90 * MINUTE }), 'expired'],
  ['a short prompt', causeOf({ input: 900 }), 'too-short'],
  ['no marks', causeOf({}, body({}, {}), body({}, {})), 'no-marks'],
  ['marks that were left out', causeOf({}, body(), body({}, {})), 'moved-marks'],
  ['Claude Code’s billing header', causeOf({}, billing('a1'), billing('b2')), 'billing-header'],
  [
    'a vendor that never reports any',
    causeOf({}, body(), body(), { minimum: 1024, isEverCached: false }),
    'never-cached',
  ],
])('a miss by %s is named', (_name, cause, expected) => {
  expect(cause).toBe(expected)
})

const openai = { format: 'responses' } as const
const claude = { format: 'messages' } as const

test.each<[string, Partial<SessionCall>, object, object, string]>([
  ['thinking', claude, {}, { thinking: { type: 'adaptive' } }, 'setting-changed'],
  ['a tool choice', claude, { tool_choice: { type: 'any' } }, {}, 'setting-changed'],
  ['effort', claude, {}, { output_config: { effort: 'max' } }, 'setting-changed'],
  ['speed', claude, { speed: 'fast' }, {}, 'setting-changed'],
  ['the key of the cache', openai, {}, { prompt_cache_key: 'b' }, 'setting-changed'],
  ['reasoning effort', openai, {}, { reasoning: { effort: 'high' } }, 'setting-changed'],
  ['effort in Chat', { format: 'chat' }, {}, { reasoning_effort: 'low' }, 'setting-changed'],
  ['the service tier', openai, {}, { service_tier: 'flex' }, 'setting-changed'],
  ['verbosity', openai, { text: { verbosity: 'low' } }, {}, 'setting-changed'],
  ['a text format', openai, {}, { text: { format: { type: 'json_object' } } }, 'setting-changed'],
  ['what says the same as nothing', claude, {}, { tool_choice: { type: 'auto' } }, 'unknown'],
  ['the usual effort', claude, {}, { output_config: { effort: 'high' } }, 'unknown'],
  ['no thinking', claude, { thinking: { type: 'disabled' } }, {}, 'unknown'],
  ['the standard tier', openai, { service_tier: 'auto' }, {}, 'unknown'],
  ['another vendor’s tool choice', openai, {}, { tool_choice: 'required' }, 'unknown'],
  ['another vendor’s tier', claude, {}, { service_tier: 'standard_only' }, 'unknown'],
  ['a temperature', claude, {}, { temperature: 0.5 }, 'unknown'],
])('a miss after a change of %s', (_name, call, before, now, expected) => {
  expect(causeOf(call, body(before), body(now))).toBe(expected)
})

test('a setting is the cause only where nothing surer is', () => {
  const thinking = { thinking: { type: 'adaptive' } }
  const other = { system: [{ type: 'text', text: `Plan. ${LONG}`, ...mark() }] }
  expect(causeOf({}, body(), body({ ...thinking, ...other }))).toBe('system-edited')
  expect(causeOf({ startedAt: 7 * MINUTE }, body(), body(thinking))).toBe('expired')
  expect(causeOf({ input: 900 }, body(), body(thinking))).toBe('too-short')
  expect(causeOf({}, body({}, {}), body(thinking, {}))).toBe('no-marks')
})

test('a text is the same by itself and in a block, whatever is marked in it', () => {
  const plain = readPrompt({ messages: [{ role: 'user', content: 'Hello.' }] })
  const block = readPrompt({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.', ...mark() }] }],
  })
  expect(comparePrompts(plain, block).departure).toBeNull()
})

test('a tool that a search brings is no change of the tools', () => {
  const tool = (name: string, fields: object = {}) => ({ name, description: name, ...fields })
  const before = body({ tools: [tool('Bash'), tool('Read')] })
  const late = tool('Monitor', { defer_loading: true })
  const after = body({ tools: [tool('Bash'), late, tool('Read')] })
  expect(comparePrompts(readPrompt(before), readPrompt(after)).departure).toBeNull()
  expect(causeOf({}, before, after)).toBe('unknown')
  const edited = body({ tools: [tool('Bash'), late, tool('Read', { description: 'Reads.' })] })
  expect(comparePrompts(readPrompt(after), readPrompt(edited)).departure?.path).toBe(
    'tools[2].description',
  )
})

test('a turn that is another one altogether is named itself', () => {
  const [one, other] = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: 'Yes?' },
  ]
  const { departure } = comparePrompts(
    readPrompt({ messages: [one, one] }),
    readPrompt({ messages: [one, other] }),
  )
  expect(departure?.path).toBe('messages[1]')
})

test('a long file in base64 counts as about a page, not by its characters', () => {
  const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(50_000)}`
  const prompt = readPrompt({
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
  })
  expect(comparePrompts(prompt, prompt).tokens).toBeLessThan(1100)
})

test.each([
  [true, 'unknown'],
  [false, 'never-cached'],
] as const)(
  'a miss without a cause, in a session of which %s was cached before',
  (isEver, cause) => {
    const doctor = new CacheDoctor({ costOf: () => null, minimumOf: () => 1024 }, isEver)
    doctor.add({ call: first, prompt: readPrompt(body()) }, 'main')
    doctor.add({ call: second, prompt: readPrompt(body()) }, 'main')
    expect(doctor.diagnose().findings).toMatchObject([{ cause, missed: 5000 }])
  },
)

test.each([
  ['10 % of a long prompt', 5000, 500],
  ['256 tokens of a short one', 1000, 256],
])('a miss is counted from %s on, since vendors count in blocks', (_share, input, missed) => {
  const causesOf = (cachedInput: number) => {
    const doctor = new CacheDoctor({ costOf: () => null, minimumOf: () => 1024 }, true)
    doctor.add({ call: { ...first, input }, prompt: null }, 'main')
    doctor.add({ call: { ...second, input, cachedInput, model: 'n' }, prompt: null }, 'main')
    return doctor.diagnose().causes.map(({ cause }) => cause)
  }
  expect(causesOf(input - missed)).toEqual(['other-model'])
  expect(causesOf(input - missed + 1)).toEqual([])
})

test('a call that failed is no miss, and the next one is compared with the one before it', () => {
  const doctor = new CacheDoctor({ costOf: () => null, minimumOf: () => 1024 }, true)
  const cut = { ...second, requestId: 'cut', isError: true }
  const third = { ...second, requestId: 'r3', startedAt: 3 * MINUTE }
  for (const call of [first, cut, third]) doctor.add({ call, prompt: null }, 'main')
  expect(doctor.diagnose()).toMatchObject({
    ...{ compared: 1, input: 10_000 },
    findings: [{ requestId: 'r3', previousId: 'r1' }],
  })
})

test('a call whose tokens are an estimate is no miss, since nothing was told of its cache', () => {
  const doctor = new CacheDoctor({ costOf: () => 7, minimumOf: () => 1024 }, true)
  const cut = { ...second, requestId: 'cut', cacheWrite: 0, isEstimated: true }
  for (const call of [first, cut]) doctor.add({ call, prompt: null }, 'main')
  expect(doctor.diagnose()).toMatchObject({
    ...{ compared: 1, input: first.input, missed: 0, causes: [] },
    findings: [{ requestId: 'cut', cause: null }],
  })
})
