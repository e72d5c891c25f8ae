import type { sharing as english } from '../../english/sharing/sharing.ts'

export const sharing: typeof english = {
  title: '共享此网关',
  hint: '供其他人使用，每人都有自己的账户、令牌和余额。',
  share: '共享此网关…',
  confirm: '共享',
  starting: '正在共享…',
  notNow: '暂不',
  changes: '将发生以下变化：',
  change_pages: '侧边栏会出现“用户”、“兑换码”、“支付”和“分组”。',
  change_balance:
    '余额开始生效：余额用完后调用会被拒绝。你的余额（现为 {{balance}}）同样会被扣费。',
  change_prices: '未定价的模型会被拒绝，除非用户在“设置”中接受。',
  change_network: '地址仍是 {{url}}。在你打开“开放注册”之前，没有人可以注册。',
  back: '删除所有其他用户后，才能停止共享。',
  isShared: '此网关已共享：余额、分组和用户均已启用。',
  stop: '停止共享',
  stopping: '正在停止…',
  others_one: '还有 {{count}} 个其他用户的账户，请先删除。',
  others_other: '还有 {{count}} 个其他用户的账户，请先删除。',
  nobody: '没有其他人的账户。',
  toUsers: '用户',
}
