/** The abilities of the vendor's models (wire-formats 4.2). */
export interface ClaudeModel {
  sampling: boolean
  bothSampling: boolean
  budget: boolean
  adaptive: boolean
  thinkingOff: 'yes' | 'up-to-high' | 'between-tools' | 'no'
  efforts: string
  forcedTool: 'yes' | 'without-thinking' | 'no'
  prefill: boolean
  midSystem: boolean
  structuredOutput: boolean
  maxOutput: number
  /** Looks at what stands before a thought that comes back. */
  boundThoughts: boolean
}

const newest: ClaudeModel = {
  sampling: false,
  bothSampling: false,
  budget: false,
  adaptive: true,
  thinkingOff: 'no',
  efforts: 'low medium high xhigh max',
  forcedTool: 'no',
  prefill: false,
  midSystem: true,
  structuredOutput: true,
  maxOutput: 128_000,
  boundThoughts: true,
}
const before55: ClaudeModel = { ...newest, forcedTool: 'yes', boundThoughts: false }
const of46: ClaudeModel = {
  ...newest,
  sampling: true,
  budget: true,
  thinkingOff: 'yes',
  efforts: 'low medium high max',
  forcedTool: 'yes',
  midSystem: false,
  boundThoughts: false,
}
const of45: ClaudeModel = {
  ...of46,
  adaptive: false,
  efforts: '',
  forcedTool: 'without-thinking',
  prefill: true,
  maxOutput: 64_000,
}

const models: readonly [RegExp, ClaudeModel][] = [
  [/claude-(?:3|sonnet-4-0|opus-4-[01])/, { ...of45, bothSampling: true, structuredOutput: false }],
  [/claude-opus-4-5/, { ...of45, efforts: 'low medium high' }],
  [/claude-(?:sonnet|haiku)-4-5/, of45],
  [/claude-(?:opus|sonnet)-4-6/, of46],
  [/claude-opus-5-5/, newest],
  [/claude-sonnet-5-5/, { ...newest, thinkingOff: 'between-tools' }],
  [/claude-haiku-5-5/, { ...newest, thinkingOff: 'up-to-high', forcedTool: 'yes' }],
  [/claude-opus-4-[78]/, { ...before55, thinkingOff: 'yes' }],
  [/claude-(?:sonnet|opus)-5/, { ...before55, thinkingOff: 'up-to-high' }],
]

/** The switches of a Claude model; of the newest for an unknown name. */
export const claudeModel = (name: string): ClaudeModel =>
  models.find(([pattern]) => pattern.test(name))?.[1] ?? newest
