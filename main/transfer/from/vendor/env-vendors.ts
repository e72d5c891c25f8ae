import type { Reason } from '../report/left-out-texts.ts'

/** The variables under which tools look for a vendor's key. */
export interface EnvVendor {
  /** A name that `vendorNamed` knows. */
  vendor: string
  /** In the order in which they count. */
  keys: readonly string[]
  /** Variables with another address. */
  addresses?: readonly string[]
  /** Said where the same variable is used for several addresses. */
  ask?: Reason
  /** The key itself may be missing. */
  keyless?: true
}

const twoSites = (one: string, other: string): Reason => ['two_sites', { one, other }]

/**
 * Names from models.dev (providers/ID/provider.toml), LiteLLM and Aider. A vendor is taken when one of its
 * keys is set.
 */
export const envVendors: readonly EnvVendor[] = [
  { vendor: 'openai', keys: ['OPENAI_API_KEY'], addresses: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'] },
  {
    vendor: 'anthropic',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    addresses: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE'],
  },
  {
    vendor: 'gemini',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    addresses: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_BASE_URL'],
  },
  {
    vendor: 'azure',
    keys: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'],
    addresses: ['AZURE_API_BASE', 'AZURE_OPENAI_ENDPOINT'],
  },
  { vendor: 'deepseek', keys: ['DEEPSEEK_API_KEY'], addresses: ['DEEPSEEK_API_BASE'] },
  { vendor: 'openrouter', keys: ['OPENROUTER_API_KEY', 'OR_API_KEY'] },
  { vendor: 'mistral', keys: ['MISTRAL_API_KEY'], addresses: ['MISTRAL_API_BASE'] },
  { vendor: 'groq', keys: ['GROQ_API_KEY'], addresses: ['GROQ_API_BASE'] },
  { vendor: 'xai', keys: ['XAI_API_KEY'], addresses: ['XAI_API_BASE'] },
  {
    vendor: 'moonshot',
    keys: ['MOONSHOT_API_KEY'],
    addresses: ['MOONSHOT_API_BASE', 'MOONSHOT_BASE_URL'],
    ask: twoSites('api.moonshot.ai', 'api.moonshot.cn'),
  },
  { vendor: 'kimi-coding', keys: ['KIMI_API_KEY'] },
  {
    vendor: 'dashscope',
    keys: ['DASHSCOPE_API_KEY'],
    addresses: ['DASHSCOPE_API_BASE', 'DASHSCOPE_BASE_URL'],
    ask: twoSites('dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com'),
  },
  {
    vendor: 'zhipu',
    keys: ['ZHIPU_API_KEY', 'ZHIPUAI_API_KEY'],
    ask: twoSites('open.bigmodel.cn', 'api.z.ai'),
  },
  { vendor: 'zai', keys: ['ZAI_API_KEY'], addresses: ['ZAI_API_BASE'] },
  {
    vendor: 'minimax',
    keys: ['MINIMAX_API_KEY'],
    addresses: ['MINIMAX_API_BASE'],
    ask: twoSites('api.minimax.io', 'api.minimaxi.com'),
  },
  { vendor: 'siliconflow-intl', keys: ['SILICONFLOW_API_KEY'] },
  { vendor: 'siliconflow', keys: ['SILICONFLOW_CN_API_KEY'] },
  { vendor: 'volcengine', keys: ['ARK_API_KEY', 'VOLCENGINE_API_KEY'] },
  { vendor: 'qianfan', keys: ['QIANFAN_API_KEY'] },
  { vendor: 'stepfun', keys: ['STEPFUN_API_KEY'] },
  { vendor: 'modelscope', keys: ['MODELSCOPE_API_KEY'] },
  { vendor: 'xiaomi', keys: ['XIAOMI_API_KEY'] },
  { vendor: 'together', keys: ['TOGETHER_API_KEY', 'TOGETHERAI_API_KEY'] },
  { vendor: 'fireworks', keys: ['FIREWORKS_API_KEY', 'FIREWORKS_AI_API_KEY'] },
  { vendor: 'cerebras', keys: ['CEREBRAS_API_KEY'] },
  { vendor: 'perplexity', keys: ['PERPLEXITY_API_KEY', 'PERPLEXITYAI_API_KEY'] },
  { vendor: 'cohere', keys: ['COHERE_API_KEY', 'CO_API_KEY'] },
  { vendor: 'jina', keys: ['JINA_API_KEY', 'JINA_AI_API_KEY'] },
  { vendor: 'voyage', keys: ['VOYAGE_API_KEY'] },
  { vendor: 'deepinfra', keys: ['DEEPINFRA_API_KEY'] },
  { vendor: 'novita', keys: ['NOVITA_API_KEY'] },
  { vendor: 'nebius', keys: ['NEBIUS_API_KEY'] },
  { vendor: 'nvidia', keys: ['NVIDIA_API_KEY', 'NVIDIA_NIM_API_KEY'] },
  { vendor: 'baseten', keys: ['BASETEN_API_KEY'] },
  { vendor: 'venice', keys: ['VENICE_API_KEY'] },
  { vendor: 'sambanova', keys: ['SAMBANOVA_API_KEY'] },
  { vendor: 'hyperbolic', keys: ['HYPERBOLIC_API_KEY'] },
  { vendor: 'friendli', keys: ['FRIENDLI_TOKEN'] },
  { vendor: 'huggingface', keys: ['HF_TOKEN', 'HUGGINGFACE_API_KEY'] },
  { vendor: 'vercel', keys: ['AI_GATEWAY_API_KEY'] },
  { vendor: 'opencode-zen', keys: ['OPENCODE_API_KEY'] },
  { vendor: 'hunyuan', keys: ['HUNYUAN_API_KEY'] },
  { vendor: 'lingyiwanwu', keys: ['LINGYIWANWU_API_KEY', 'YI_API_KEY'] },
  { vendor: 'baichuan', keys: ['BAICHUAN_API_KEY'] },
  { vendor: 'ollama-cloud', keys: ['OLLAMA_API_KEY'] },
  { vendor: 'ollama', keys: [], addresses: ['OLLAMA_API_BASE', 'OLLAMA_HOST'], keyless: true },
  {
    vendor: 'lm-studio',
    keys: ['LM_STUDIO_API_KEY', 'LMSTUDIO_API_KEY'],
    addresses: ['LM_STUDIO_API_BASE'],
    keyless: true,
  },
]
