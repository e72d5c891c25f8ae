import type { foundKeys as english } from '../../english/channels/found-keys.ts'

export const foundKeys: typeof english = {
  title: '本机上的密钥',
  hint: '在环境变量和其他工具的文件中找到。未勾选的一律不取用。',
  searching: '正在查找密钥…',
  none: '本机上没有找到厂商密钥。',
  environment: '环境变量',
  base_url: '基础 URL',
  base_urlHint: '你的资源地址。',
  models: '模型',
  modelsHint: '用逗号分隔；Azure 填部署名称。',
  isChannel: '已在渠道 {{name}} 中。',
  checking: '正在检查 {{name}}…',
  take_zero: '检查并添加',
  take_one: '检查并添加 {{count}} 个密钥',
  take_other: '检查并添加 {{count}} 个密钥',
  takeAnyway: '仍然添加',
  takeAnywayNamed: '仍然添加：{{name}}',
  goOn: '不用其余密钥，继续',
  search: '在本机查找密钥',
}
