/** Limits that a call has reached. */
export const limitSentences = {
  budget_of_day:
    '令牌“{{token}}”每天可使用 {{limit}}，已使用 {{used}}{{more}}。本日预算在 {{end}} 重置。可在控制台的“连接 → 令牌”中修改预算。',
  budget_of_month:
    '令牌“{{token}}”每月可使用 {{limit}}，已使用 {{used}}{{more}}。本月预算在 {{end}} 重置。可在控制台的“连接 → 令牌”中修改预算。',
  budget_used_up_in_session: '，其余已在此会话中用完',
  budget_may_cost: '，而此调用可能花费 {{expected}}',
  budget_held_and_may_cost: '，进行中的调用占用 {{held}}，而此调用可能花费 {{expected}}',
  token_rate_requests:
    '令牌“{{token}}”每分钟最多 {{requests}} 次请求，现已用完。请在 {{seconds}} 秒后重试。',
  token_rate_tokens:
    '令牌“{{token}}”每分钟最多使用 {{tokens}} 个 token，现已用完。请在 {{seconds}} 秒后重试。',
  token_rate_both:
    '令牌“{{token}}”每分钟最多 {{requests}} 次请求和 {{tokens}} 个 token，现已用完。请在 {{seconds}} 秒后重试。',
  user_rate_calls:
    '用户“{{user}}”已达到速率限制：{{minutes}} 分钟内 {{calls}} 次调用。请在 {{seconds}} 秒后重试。',
  user_rate_answered:
    '用户“{{user}}”已达到速率限制：{{minutes}} 分钟内 {{answered}} 次成功的调用。请在 {{seconds}} 秒后重试。',
  user_rate_both:
    '用户“{{user}}”已达到速率限制：{{minutes}} 分钟内 {{calls}} 次调用，其中 {{answered}} 次成功的调用。请在 {{seconds}} 秒后重试。',
  calls_at_limit:
    '网关有 {{running}} 个进行中的调用，已达上限（MaxConcurrentCalls：{{most}}），另有 {{waiting}} 个在等待，最多 {{patience}} 秒。请在 {{seconds}} 秒后重试。',
  bodies_at_limit:
    '进行中调用的正文已占满为其预留的 {{mebibytes}} MiB 内存。请在 {{seconds}} 秒后重试。',
  price_unset:
    '模型“{{model}}”在此处没有价格。所有者可在控制台的“用量 → 价格”中设置。也可在自己的设置中允许未定价的模型，按倍率 {{ratio}} 计：每百万 token {{dollars}} 美元。',
  group_refused_to_call:
    '此调用要求分组“{{group}}”，而用户“{{user}}”不能使用它。可用：{{groups}}。',
  group_refused_to_token:
    '令牌“{{token}}”要求分组“{{group}}”，而用户“{{user}}”不能使用它。可用：{{groups}}。',
  group_gone_for_call: '此调用要求分组“{{group}}”，而它已不存在。可用：{{groups}}。',
  group_gone_for_token: '令牌“{{token}}”要求分组“{{group}}”，而它已不存在。可用：{{groups}}。',
  hop_own:
    '此调用由本网关自己发出：其某个渠道的基础 URL 又指回本网关。请在控制台的“渠道”页填写厂商的地址。',
  hops_many: '此调用已经过 {{count}} 个网关。它们的渠道的基础 URL 不得互相指向。',
  endpoint_unserved:
    '模型“{{model}}”不能通过 {{path}} 调用：{{channels}} 提供 {{types}}。需要端点类型为 {{wanted}} 的渠道；端点类型在控制台的“渠道”页设置。',
  endpoint_without_call:
    '模型“{{model}}”不能通过 {{path}} 调用：{{channels}} 提供 {{types}}，但此厂商没有这种调用。',
  realtime_unserved:
    '模型“{{model}}”由 {{channels}} 提供，其厂商没有实时会话。需要 OpenAI、Azure 或与其兼容且端点类型包含 realtime 的渠道。',
  format_without_endpoint:
    '{{vendor}} 类的渠道没有用于格式“{{format}}”的端点。请选择其他 API 格式或渠道。',
  format_without_count: '格式“{{format}}”没有统计 token 的端点。请选择其他 API 格式或渠道。',
  custom_url_without_call: '此自定义渠道的 URL 不提供这种调用。请选择其他 API 格式或渠道。',
  azure_responses_over_http: 'Azure OpenAI 渠道只通过 HTTP 接受 Responses。',
  channels_wait:
    '提供“{{model}}”的所有渠道的厂商都要求等待。请在 {{seconds}} 秒后重试。渠道“{{channel}}”的厂商说：{{said}}',
  channels_all_tried: '没有可再尝试的渠道。请重试，或为此模型添加渠道。',
} as const
