import { accountSentences } from './account-sentences.ts'
import { callSentences } from './call-sentences.ts'
import { storageSentences } from './storage-sentences.ts'

/** Refusals, and warnings of Health. */
const refusals = {
  not_signed_in: '你尚未登录，请先登录。',
  login_wrong: '用户名或密码错误，或账户已停用。',
  login_password_off: '除所有者外已关闭密码登录，或密码错误。',
  login_expired: '登录已过期，请重新输入用户名和密码。',
  login_too_many: '登录失败次数过多，请在 {{wait}}后重试。',
  login_only_right: '错误密码过多，此处现在只接受正确的密码。',
  login_busy: '同时登录过多，请在 2 秒后重试。',
  codes_locked: '错误的验证码或密码过多，请在 {{wait}}后重试。',
  wait_seconds: '{{seconds}} 秒',
  wait_minutes: '{{minutes}} 分钟',
  code_of_app: '请输入验证器应用显示的六位数字。',
  code_of_app_or_backup: '请输入验证器应用显示的六位数字，或一个备用码。',
  code_wrong: '验证码错误或已使用过，请等待下一个。',
  backup_code_wrong: '这不是你的备用码。请检查，或输入应用显示的验证码。',
  backup_code_used: '此备用码已使用过。请输入另一个，或输入应用显示的验证码。',
  wrong_and_locked: '{{why}}错误次数过多，请在 {{wait}}后重试。',
  password_wrong: '密码错误。',
  name_taken: '用户名“{{user}}”已被占用，或与已有的名称过于相似。',
  user_disabled: '用户“{{user}}”已停用。管理员可以重新启用。',
  only_owner: '只有所有者可以这样做。',
  only_administrator: '只有管理员可以这样做。',
  owner_without_password:
    '所有者还没有密码，因此只能在桌面窗口中使用。请在那里的“设置”中设置密码。',
  access_token_not_enough: '访问令牌不足以执行此操作，请登录控制台后再操作。',
  verification_needed: '需要验证身份。请输入密码或验证码，然后重试。',
  verification_expired: '身份验证已过期，请重新输入密码或验证码。',
  no_user: '没有编号为 {{id}} 的用户，可能已被删除。请重新加载列表。',
  owner_undeletable: '“{{user}}”是此网关的所有者，不能删除。',
  owner_undisableable: '“{{user}}”是此网关的所有者，不能停用。',
  owner_undemotable: '“{{user}}”是此网关的所有者，不能降低角色。',
  role_below_own: '新用户的角色必须低于你自己的角色。',
  expiry_past: '到期时间已过，请选择更晚的时间。',
  rows_before_future: '该时间在未来。请以 Unix 秒填写，而不是毫秒。',
  no_channel: '没有编号为 {{id}} 的渠道，可能已被删除。请重新加载列表。',
  base_url_needed: '{{type}} 类型的渠道需要填写基础 URL。',
  key_needed: '{{type}} 需要密钥。请在厂商页面创建一个并粘贴到这里。',
  gateway_failed: '网关处理此请求时失败，请在其日志中查找请求 ID {{id}}。',
  upstream_redirects:
    '上游返回 {{status}}：它重定向到 {{address}}。请将该地址填为基础 URL；重定向后绝不发送密钥。',
  upstream_said: '上游返回 {{status}}：“{{said}}”',
  upstream_silent: '上游返回 {{status}}，未说明原因。',
  upstream_late:
    '上游在 {{seconds}} 秒内没有返回所需内容（{{wanted}}）。请检查基础 URL，然后重试。',
  code_unknown: '没有这个兑换码，请检查是否输入了全部 32 个字符。',
  code_used: '此兑换码已被使用。',
  code_disabled: '此兑换码已停用，请联系给你兑换码的人。',
  code_expired: '此兑换码已于 {{day}} 过期。',
  code_changed: '此兑换码刚刚被修改，请重试。',
  code_not_for_administrators: '管理员不能兑换，请让所有者为你充值。',
  code_too_much: '使用此兑换码后你的余额会超过 {{most}}。请先用掉一些；兑换码仍然有效。',
  only_in_desktop: '只有桌面应用可以这样做，而此网关未使用桌面应用运行。',
  file_changed: '{{tool}} 的一个文件在预览之后被修改。请查看新的预览，再应用。',
  home_foreign:
    '主目录 {{home}} 是另一个系统的路径，这里的工具不会去那里查找。请将 {{variable}} 设为本系统的主目录后启动网关。未作任何修改。',
  home_missing:
    '主目录 {{home}} 不存在。请以你自己的身份启动网关，或将 {{variable}} 设为你的主目录。未作任何修改。',
  health_ledger_failing: '无法使用账本：{{problem}}',
  health_state_failing: '无法保存设置：{{problem}}',
  health_keychain_locked: '系统钥匙串已锁定，无法读取已保存的密钥。请解锁钥匙串。',
  health_channels_cooling: '{{count}} 个渠道在失败后冷却中：{{names}}。',
  health_channels_probing: '{{count}} 个渠道最近失败，下一次调用是探测：{{names}}。',
  health_channels_disabled: '{{count}} 个渠道已被网关停用：{{names}}。',
  health_keys_unreadable: '{{count}} 个渠道的密钥已无法读取：{{names}}。请重新输入。',
  names_and_more: '{{names}} 及另外 {{more}} 个',
  health_paused: '网关已暂停：新调用会收到状态 503。可在“设置”页恢复。',
  health_disk_low:
    '数据文件夹所在磁盘只剩 {{mebibytes}} MiB。空间不足时调用照常进行，但有空间后才会记录。',
  health_rows_lost: '账本无法写入期间，有 {{count}} 条调用记录未能保留。',
  health_extra_certificates: '附加证书有问题：{{problem}}',
  health_open_to_network:
    '网关监听 {{host}}，使用明文 HTTP，经网络发送的内容可被读取。请在前面放置带 TLS 的代理，或改为监听 127.0.0.1。',
  health_clock_jumped: '本机时钟被回拨了 {{seconds}} 秒：该时间前后按小时和按天的用量可能有误。',
  health_event_loop_slow: '最近几分钟内，所有调用曾被阻塞 {{seconds}} 秒。',
  health_machine_busy: '最近几分钟内，其他程序使本机繁忙，调用最多等待了 {{seconds}} 秒。',
} as const

/** Sentences that any page may have to say; those of channels, refused calls, conversions, events, Connect, payments and imports come with the other texts. */
export const firstSentences = {
  ...refusals,
  ...accountSentences,
  ...callSentences,
  ...storageSentences,
} as const
