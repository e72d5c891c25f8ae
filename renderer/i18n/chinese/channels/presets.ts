import type {
  presetName as englishName,
  presetNote as englishNote,
} from '../../english/channels/presets.ts'

export const presetName: typeof englishName = {
  echo: 'Echo（内置，无需密钥）',
  'moonshot-cn': 'Moonshot（Kimi），中国',
  zhipu: '智谱（GLM），中国',
  'zai-coding': 'Z.ai 编程套餐',
  dashscope: '通义千问（DashScope），中国',
  'dashscope-intl': '通义千问（DashScope），国际',
  siliconflow: '硅基流动（SiliconFlow），中国',
  'siliconflow-intl': '硅基流动（SiliconFlow），国际',
  minimax: 'MiniMax，国际',
  'minimax-cn': 'MiniMax，中国',
  'volcengine-coding': '火山方舟编程套餐',
  custom: '自定义（完整 URL）',
  'openai-compatible': '其他（兼容 OpenAI）',
  'anthropic-compatible': '其他（兼容 Anthropic）',
}

export const presetNote: typeof englishNote = {
  echo: '在 Switchyard 内部应答，不联网：用于试用客户端和试用台。',
  azure:
    'Base URL 填你的资源地址，如 https://NAME.openai.azure.com；模型名即你的部署名。API 版本留空即用最新的 API。',
  'zai-coding': '用于编程套餐的密钥；普通 API 另行计费。',
  perplexity: '无法列出其模型。',
  'volcengine-coding': '用于编程套餐的密钥；普通 API 另行计费。',
  jina: '仅有向量和重排。',
  voyage: '仅有向量和重排。无法列出其模型。',
  ollama: '在本机运行。要使用 Anthropic 格式，需要 0.14 或更高版本。',
  'lm-studio': '请在其 Developer 标签页中启动服务器。',
  vllm: '仅当以 --api-key 启动时才需要密钥。',
  'llama-cpp': '即 llama-server；使用工具需要 --jinja。',
  tei: 'Hugging Face 的单模型服务器，对任何名称都应答：输入一个即可。',
  custom: '完全按输入的 URL 调用；{model} 代表模型名。',
  'openai-compatible': '任何提供 OpenAI API 的主机。请填写其 Base URL，带不带 /v1 均可。',
  'anthropic-compatible':
    '任何提供 Anthropic Messages API 的主机。请填写其 Base URL，带不带 /v1 均可。',
}
