/** Names of main/adaptor/presets.json that aren’t a vendor’s own word throughout, by the preset’s id. */
export const presetName = {
  echo: 'Echo (built in, no key)',
  'moonshot-cn': 'Moonshot (Kimi), China',
  zhipu: 'Zhipu (GLM), China',
  'zai-coding': 'Z.ai coding plan',
  dashscope: 'Qwen (DashScope), China',
  'dashscope-intl': 'Qwen (DashScope), international',
  siliconflow: 'SiliconFlow, China',
  'siliconflow-intl': 'SiliconFlow, international',
  minimax: 'MiniMax, international',
  'minimax-cn': 'MiniMax, China',
  'volcengine-coding': 'VolcEngine Ark coding plan',
  custom: 'Custom (full URL)',
  'openai-compatible': 'Other, OpenAI-compatible',
  'anthropic-compatible': 'Other, Anthropic-compatible',
}

/** Its notes, by the preset’s id. */
export const presetNote = {
  echo: 'Answers inside Switchyard, without any network: for trying clients and the playground.',
  azure:
    'The base URL is your resource, such as https://NAME.openai.azure.com; model names are your deployments. Leave the API version empty for the current API.',
  'zai-coding': 'For keys of a coding plan; the plain API is billed apart from it.',
  perplexity: 'Its models cannot be listed.',
  'volcengine-coding': 'For keys of a coding plan; the plain API is billed apart from it.',
  jina: 'Embeddings and rerank only.',
  voyage: 'Embeddings and rankings. Its models cannot be listed.',
  ollama: 'Runs on this machine. Needs version 0.14 or later for Anthropic’s format.',
  'lm-studio': 'Start the server in its Developer tab.',
  vllm: 'A key is needed only when it was started with --api-key.',
  'llama-cpp': 'llama-server; tools need --jinja.',
  tei: 'Hugging Face’s server of one model, which answers to any name: type one.',
  custom: 'Called exactly as typed; {model} stands for the model’s name.',
  'openai-compatible': 'Any host that serves OpenAI’s API. Give its base URL, with or without /v1.',
  'anthropic-compatible':
    'Any host that serves Anthropic’s Messages API. Give its base URL, with or without /v1.',
}
