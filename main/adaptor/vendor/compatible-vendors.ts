import { deepSeekBalance, moonshotBalance, openRouterBalance } from '../balance.ts'
import { openAiCompatible } from './openai-compatible.ts'

/**
 * Vendors that have a channel type of their own and speak OpenAI's format. Numbers and default
 * addresses are those of the management API's table of channel types.
 */
export const compatibleVendors = [
  {
    type: 17,
    name: 'Ali (DashScope)',
    defaultBaseUrl: 'https://dashscope.aliyuncs.com',
    root: '/compatible-mode/v1',
  },
  {
    type: 20,
    name: 'OpenRouter',
    defaultBaseUrl: 'https://openrouter.ai/api',
    balance: openRouterBalance,
  },
  {
    type: 25,
    name: 'Moonshot',
    defaultBaseUrl: 'https://api.moonshot.cn',
    balance: moonshotBalance,
  },
  { type: 26, name: 'Zhipu V4', defaultBaseUrl: 'https://open.bigmodel.cn', root: '/api/paas/v4' },
  { type: 27, name: 'Perplexity', defaultBaseUrl: 'https://api.perplexity.ai', root: '' },
  { type: 35, name: 'MiniMax', defaultBaseUrl: 'https://api.minimax.chat' },
  // Its balance can't be asked since August 2026: https://github.com/rikkahub/rikkahub/issues/1811
  { type: 40, name: 'SiliconFlow', defaultBaseUrl: 'https://api.siliconflow.cn' },
  { type: 42, name: 'Mistral', defaultBaseUrl: 'https://api.mistral.ai' },
  {
    type: 43,
    name: 'DeepSeek',
    defaultBaseUrl: 'https://api.deepseek.com',
    balance: deepSeekBalance,
  },
  {
    type: 45,
    name: 'VolcEngine',
    defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
    root: '/api/v3',
  },
  { type: 46, name: 'Baidu V2', defaultBaseUrl: 'https://qianfan.baidubce.com', root: '/v2' },
  { type: 47, name: 'Xinference', defaultBaseUrl: '' },
  { type: 48, name: 'xAI', defaultBaseUrl: 'https://api.x.ai' },
  { type: 53, name: 'Submodel', defaultBaseUrl: 'https://llm.submodel.ai' },
].map(openAiCompatible)
