/** Limits that a call has reached: budgets, rates, room, groups and hops. */
export interface LimitSentences {
  budget_used_up_in_session: unknown
  budget_may_cost: { expected: string }
  budget_held_and_may_cost: { held: string; expected: string }
  token_rate_requests: { token: string; requests: number; seconds: number }
  token_rate_tokens: { token: string; tokens: number; seconds: number }
  token_rate_both: { token: string; requests: number; tokens: number; seconds: number }
  user_rate_calls: { user: string; calls: number; minutes: number; seconds: number }
  user_rate_answered: { user: string; answered: number; minutes: number; seconds: number }
  user_rate_both: {
    user: string
    calls: number
    answered: number
    minutes: number
    seconds: number
  }
  calls_at_limit: {
    running: number
    most: number
    waiting: number
    patience: number
    seconds: number
  }
  bodies_at_limit: { mebibytes: number; seconds: number }
  price_unset: { model: string; ratio: number; dollars: number }
  group_refused_to_call: { group: string; user: string; groups: string }
  group_refused_to_token: { token: string; group: string; user: string; groups: string }
  group_gone_for_call: { group: string; groups: string }
  group_gone_for_token: { token: string; group: string; groups: string }
  hop_own: unknown
  hops_many: { count: number }
  endpoint_unserved: {
    model: string
    path: string
    channels: string
    types: string
    wanted: string
  }
  endpoint_without_call: { model: string; path: string; channels: string; types: string }
  realtime_unserved: { model: string; channels: string }
  format_without_endpoint: { vendor: string; format: string }
  format_without_count: { format: string }
  custom_url_without_call: unknown
  azure_responses_over_http: unknown
  channels_wait: { model: string; seconds: number; channel: string; said: string }
  channels_all_tried: unknown
}
