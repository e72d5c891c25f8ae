import { presets } from '../../../adaptor/presets.ts'

/** A vendor as a channel names it: our channel type, and an address where the type's own isn't right. */
export interface Vendor {
  name: string
  type: number
  base_url: string | null
  /** False for servers that run without one. */
  needsKey: boolean
}

const vendors = new Map<string, Vendor>()

for (const { id, name, type, base_url, needs_key } of presets) {
  vendors.set(id, { name, type, base_url: base_url || null, needsKey: needs_key })
}

/**
 * Vendors without a preset that speak OpenAI's format, by the ids of models.dev; addresses from there
 * (providers/ID/provider.toml) and from LiteLLM's table of providers.
 */
const others: Readonly<Record<string, readonly [name: string, baseUrl: string]>> = {
  stepfun: ['StepFun', 'https://api.stepfun.com/v1'],
  modelscope: ['ModelScope', 'https://api-inference.modelscope.cn/v1'],
  xiaomi: ['Xiaomi MiMo', 'https://api.xiaomimimo.com/v1'],
  novita: ['Novita', 'https://api.novita.ai/openai'],
  baseten: ['Baseten', 'https://inference.baseten.co/v1'],
  venice: ['Venice', 'https://api.venice.ai/api/v1'],
  'opencode-zen': ['OpenCode Zen', 'https://opencode.ai/zen/v1'],
  friendli: ['Friendli', 'https://api.friendli.ai/serverless/v1'],
  hyperbolic: ['Hyperbolic', 'https://api.hyperbolic.xyz/v1'],
  lingyiwanwu: ['01.AI', 'https://api.lingyiwanwu.com/v1'],
  baichuan: ['Baichuan', 'https://api.baichuan-ai.com/v1'],
}

for (const [id, [name, base_url]] of Object.entries(others)) {
  vendors.set(id, { name, type: 1, base_url, needsKey: true })
}

vendors.set('kimi-coding', {
  name: 'Kimi for Coding',
  type: 14,
  base_url: 'https://api.kimi.com/coding',
  needsKey: true,
})

/** Names that other tools give to vendors, by LiteLLM's prefixes and models.dev's ids, where ours differ. */
const aliases: Readonly<Record<string, string>> = {
  'text-completion-openai': 'openai',
  anthropic_text: 'anthropic',
  claude: 'anthropic',
  google: 'gemini',
  azure_text: 'azure',
  'azure-cognitive-services': 'azure',
  codestral: 'mistral',
  mistralai: 'mistral',
  cohere_chat: 'cohere',
  together_ai: 'together',
  togetherai: 'together',
  fireworks_ai: 'fireworks',
  'fireworks-ai': 'fireworks',
  nvidia_nim: 'nvidia',
  moonshotai: 'moonshot',
  'moonshotai-cn': 'moonshot-cn',
  alibaba: 'dashscope-intl',
  'alibaba-cn': 'dashscope',
  zhipuai: 'zhipu',
  'zai-coding-plan': 'zai-coding',
  'kimi-for-coding': 'kimi-coding',
  'siliconflow-cn': 'siliconflow',
  huggingface: 'huggingface',
  perplexityai: 'perplexity',
  jina_ai: 'jina',
  ollama_chat: 'ollama',
  lm_studio: 'lm-studio',
  lmstudio: 'lm-studio',
  vercel_ai_gateway: 'vercel',
  opencode: 'opencode-zen',
}

/** The vendor that a tool names so; undefined for one that we have neither a type nor an address of. */
export const vendorNamed = (name: string): Vendor | undefined => {
  const id = name.toLowerCase()
  return vendors.get(Object.hasOwn(aliases, id) ? (aliases[id] as string) : id)
}
