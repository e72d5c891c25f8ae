/** A channel as lists show it, with what a test says of it. */
export const channelRecord = (fields: { id: number; name: string } & Record<string, unknown>) => ({
  type: 1,
  key: '',
  key_preview: 'sk-…9f2c',
  key_count: 1,
  key_unreadable: false,
  key_locked: false,
  status: 1,
  models: 'gpt-mini,gpt-large',
  group: 'default',
  base_url: 'https://api.openai.com/v1',
  weight: 0,
  priority: 0,
  test_time: 0,
  response_time: 0,
  balance: 0,
  balance_updated_time: 0,
  model_mapping: null,
  param_override: null,
  header_override: null,
  settings: '',
  setting: null,
  other: '',
  other_info: '',
  status_code_mapping: '',
  auto_ban: 1,
  preset: 'openai',
  tag: null,
  remark: null,
  test_model: null,
  openai_organization: null,
  channel_info: { is_multi_key: false, multi_key_size: 0, multi_key_mode: 'random' },
  ...fields,
})

/** How a channel does, as the gateway tells it: well, but for what a test says. */
export const channelHealth = (fields: object = {}) => ({
  id: 1,
  state: 'closed',
  probing: false,
  until: null,
  reason: null,
  failures: 0,
  success_rate: null,
  latency_ms: null,
  calls: 0,
  parts: [],
  disable_failures: 0,
  retest_at: null,
  ...fields,
})

/** One page that holds all of them. */
/** A total of ten and more offers filters and bulk actions. */
export const pageOf = (items: readonly unknown[], total = items.length) => ({
  page: 1,
  page_size: 50,
  total,
  items,
  type_counts: {},
})
