import type { stepUp as english } from '../../english/settings/step-up.ts'

export const stepUp: typeof english = {
  title: '确认是你本人',
  loading: '正在查询验证方式…',
  method: '验证方式',
  with_2fa: '验证码',
  with_password: '密码',
  code: '验证码',
  codeHint: '验证器应用中的六位数字，或一个备用码。',
  password: '你的密码',
  confirm: '确认',
  checking: '正在验证…',
  noMethod: '此账户还没有密码或两步验证，请先在“设置”中设置。',
}
