/** Why a model call is refused before it goes to a channel. */
export const refusalSentences = {
  token_is_disabled: '令牌“{{token}}”已停用。请在控制台的“连接 → 令牌”中启用。',
  token_is_expired: '令牌“{{token}}”已于 {{when}} 过期。请设置更晚的到期时间，或使用另一个令牌。',
  token_used_up: '令牌“{{token}}”的额度已用完。请在控制台的“连接 → 令牌”中增加额度。',
  token_used_up_in_session:
    '令牌“{{token}}”的额度已在此会话中用完。请在控制台的“连接 → 令牌”中增加额度。',
  token_not_from:
    '令牌“{{token}}”不能从 {{ip}} 使用。请在控制台的“连接 → 令牌”中将此地址加入允许的 IP。',
  token_left_below:
    '令牌“{{token}}”还剩 {{left}}，而此调用可能花费 {{expected}}。请要求更短的回答（max_tokens）、等待进行中的调用结束，或在控制台的“连接 → 令牌”中增加额度。',
  user_used_up: '用户“{{user}}”的额度已用完。请兑换兑换码，或请所有者充值。',
  user_used_up_in_session: '用户“{{user}}”的额度已在此会话中用完。请兑换兑换码，或请所有者充值。',
  user_left_below:
    '用户“{{user}}”还剩 {{left}}，而此调用可能花费 {{expected}}。请要求更短的回答（max_tokens）、等待进行中的调用结束，或兑换兑换码。',
  calls_paused: '网关已暂停，不接受新调用。所有者可以在控制台的“设置”或桌面应用的托盘菜单中恢复。',
  pinning_refused: '只有管理员的令牌可以指定渠道。请去掉“-{{channel}}”。',
  pinned_unknown: '密钥指定的渠道 {{channel}} 不存在。请去掉“-{{channel}}”，或指定另一个渠道。',
  pinned_is_disabled:
    '密钥指定的渠道 {{channel}}（“{{name}}”）已停用。请去掉“-{{channel}}”，或在控制台的“渠道”页启用它。',
  model_refused: '令牌“{{token}}”不能使用模型“{{model}}”。允许的模型：{{allowed}}。',
  model_choice_refused:
    '{{field}}：令牌“{{token}}”只能使用部分模型，而此字段让厂商选择模型。请去掉它。',
  model_unknown: '此处没有模型“{{model}}”：没有渠道列出它。GET /v1/models 会列出现有的模型。',
  model_without_channel:
    '分组 {{groups}} 中没有已启用的渠道提供模型“{{model}}”。请在控制台的“渠道”页启用一个。',
  model_in_other_groups:
    '分组 {{groups}} 中没有已启用的渠道提供模型“{{model}}”，其他分组的渠道则提供。请在控制台的“渠道”页为一个渠道添加分组。',
  route_without_target: '路由“{{route}}”没有可调用的目标。{{why}}',
  target_not_at_channel: '模型“{{model}}”不能在渠道 {{channel}} 调用。',
  target_not_at_tag: '带有标签“{{tag}}”的渠道都不能调用模型“{{model}}”。',
  target_not_at_pinned: '密钥指定的渠道不能调用模型“{{model}}”。',
  route_without_realtime: '“{{route}}”是路由，路由没有实时会话。请指定模型。',
} as const
