/** The abilities of models behind OpenAI's formats. */
export interface OpenAiModel {
  /** OpenAI's own: refuses fields that it does not know, also inside messages. */
  isOpenAi: boolean
  /** Takes temperature, top_p, penalties, logprobs, stop. */
  sampling: boolean
  maxTokens: 'max_tokens' | 'max_completion_tokens' | 'both'
  developerRole: boolean
  efforts: string
  /** Wants `reasoning_content` of the tool loop back. */
  wantsReasoning: boolean
  /** A system message may stand behind others. */
  midSystem: boolean
  cacheMarks: boolean
  maxToolId: number
  /** Which reasoning_effort Chat takes beside functions: any, none at all, or only `none`, said. */
  effortWithTools: 'any' | 'unset' | 'none'
  parallelSwitch: boolean
  /** Another vendor's, which thinks unless told not to, and takes no demanded call then. */
  thinksUnasked: boolean
  userAfterTool: boolean
}

const newest: OpenAiModel = {
  isOpenAi: true,
  sampling: false,
  maxTokens: 'max_completion_tokens',
  developerRole: true,
  efforts: 'none minimal low medium high xhigh max',
  wantsReasoning: false,
  midSystem: true,
  cacheMarks: true,
  maxToolId: 64,
  effortWithTools: 'any',
  parallelSwitch: true,
  thinksUnasked: false,
  userAfterTool: true,
}
const compatible: OpenAiModel = {
  ...newest,
  isOpenAi: false,
  sampling: true,
  maxTokens: 'max_tokens',
  developerRole: false,
  cacheMarks: false,
}

const models: readonly [RegExp, OpenAiModel][] = [
  [/^gpt-4/, { ...newest, sampling: true, maxTokens: 'both', efforts: '', cacheMarks: false }],
  [/^gpt-5\.6/, { ...newest, effortWithTools: 'none' }],
  [/^gpt-5\.[45]/, { ...newest, cacheMarks: false, effortWithTools: 'unset' }],
  [/^gpt-5/, { ...newest, cacheMarks: false }],
  [/^o\d/, { ...newest, cacheMarks: false, parallelSwitch: false }],
  [/^deepseek-v4|^kimi-k2\.6/, { ...compatible, wantsReasoning: true, thinksUnasked: true }],
  [/^deepseek|^kimi|^glm/, { ...compatible, wantsReasoning: true }],
  [/^qwen3-max/, { ...compatible, midSystem: false, thinksUnasked: true }],
  [/^qwen|^llama/, { ...compatible, midSystem: false }],
  [/^mistral|^devstral/, { ...compatible, maxToolId: 9, userAfterTool: false }],
]

/** The switches of a model; of a plain compatible vendor for an unknown name. */
export const openAiModel = (name: string): OpenAiModel =>
  models.find(([pattern]) => pattern.test(name))?.[1] ?? compatible
