/** Signing in, users, codes, and who may do what. */
export const accountSentences = {
  notice_undelivered: '通知未送达：{{why}}。',
  codes_need_keychain:
    '网关的钥匙串锁定期间无法验证验证器应用的验证码。请使用备用码，或先解锁钥匙串。',
  factor_is_on: '两步验证已开启。',
  factor_not_set_up: '没有可开启的两步验证，请先设置。',
  factor_is_off: '两步验证未开启。',
  factor_changed: '两步验证同时被修改。请查看后重试。',
  session_ended: '此登录会话已不存在。',
  factor_on_switch_off: '两步验证已开启。要重新设置，请先关闭。',
  access_token_unverifiable: '访问令牌没有可验证的会话，请登录控制台。',
  no_factor_to_verify: '此账户未开启两步验证，请改为输入密码。',
  no_password_to_verify: '此账户没有密码，请先在“设置”中设置。',
  code_wrong_app_unreadable:
    '验证码错误或已使用过。此数据文件夹的密钥已更换，验证器应用的验证码无法再验证：请使用备用码，或用 --reset-2fa 启动一次网关。',
  code_wrong_pending:
    '验证码错误或已使用过。请等待最新二维码的下一个验证码；如果仍然错误，请核对手机和网关所在机器的时钟。',
  local_secret_only_connect:
    'local-access.json 中的密钥仅供 npm run connect 使用，请使用访问令牌。',
  verification_needs_session:
    '需要已验证的会话，而访问令牌没有会话。请登录控制台，再输入密码或验证码。',
  verification_clock_back: '本机时钟被回拨，请重新输入密码或验证码。',
  only_owner_on_administrator: '“{{user}}”也是管理员，只有所有者可以对其执行此操作。',
  no_operation: '没有操作“{{name}}”。',
  no_such_field: '此处没有字段“{{field}}”。',
  input_no_object: '输入必须是 JSON 对象。',
  already_set_up: 'Switchyard 已设置完成，请直接登录。',
  passwords_differ: '两次输入的密码不一致。',
  setup_only_local:
    '首次设置只能在运行 Switchyard 的机器上进行，且不能经过代理。请在那里打开控制台。如果该机器在受信任的代理之列，请先不带它们启动一次。',
  registration_closed: '注册已关闭，请向此网关的所有者申请账户。',
  own_factor_in_settings: '请在“设置”中用验证码关闭自己的两步验证。',
  user_without_factor: '“{{user}}”没有两步验证。',
  already_administrator: '“{{user}}”已经是管理员。',
  already_common_user: '“{{user}}”已经是普通用户。',
  user_is_owner: '“{{user}}”是此网关的所有者。',
  only_roles_below: '你只能授予低于自己的角色。',
  own_password_in_settings: '不能在此设置自己的密码。请在“设置”中用当前密码修改。',
  no_redemption_code: '没有编号为 {{id}} 的兑换码，可能已被删除。请重新加载列表。',
  used_code_only_renamed: '兑换码 {{id}} 已被使用：只能改名称，其他保持不变。',
  access_token_unknown: '这不是此网关的访问令牌。请在“设置”中生成一个，或登录。',
  session_ended_meanwhile: '此会话已被结束，请重新登录。',
  too_many_requests: '请求过多，请在 {{wait}}后重试。',
  origin_refused: '{{origin}} 的网页不能调用此网关。模型调用可将其来源加入 AllowedOrigins。',
  host_refused:
    '“{{host}}”不是此网关的名称。请使用 127.0.0.1 或 localhost，或将该名称加入 AllowedHosts。',
  other_site_refused: '其他网站或端口的页面不能调用此网关。',
  only_console_with_session:
    '使用登录会话的更改只能由控制台发起。请改为在 Authorization 中发送访问令牌。',
  keychain_locked:
    '钥匙串已锁定，Switchyard 无法读取已保存的密钥。请解锁本机的钥匙串，然后在控制台选择“重试”。',
  keys_not_locked: '已保存的密钥并未锁定，因此没有清除任何内容。',
  state_unwritable:
    '未保存任何内容：无法写入 {{path}}（{{problem}}）。请腾出磁盘空间或使该文件夹可写，然后重试。',
  email_taken: '另一位用户已使用邮箱地址 {{email}}。',
  no_token: '没有编号为 {{id}} 的令牌，可能已被删除。请重新加载列表。',
  no_route: '没有编号为 {{id}} 的路由，可能已被删除。请重新加载列表。',
  route_channels_missing: '其渠道既不在此处，也不在文件中。',
  route_name_taken: '已有名为“{{name}}”的路由。请换一个名称。',
  target_is_route: '“{{model}}”本身是路由。目标必须是模型。',
  wrong_codes_locked_from_afar:
    '错误的验证码过多，请在 {{wait}}后重试。曾登录过的浏览器和网关所在的机器未被锁定。',
  other_user_named: '请求头 New-Api-User 指定的用户与登录的用户不同。',
} as const
