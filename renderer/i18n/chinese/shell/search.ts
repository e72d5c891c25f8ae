import type { search as english } from '../../english/shell/search.ts'

export const search: typeof english = {
  placeholder: '页面、设置、渠道、令牌、模型、请求 ID 或操作',
  nothing: '没有匹配“{{text}}”的内容。',
  searching: '正在搜索…',
  pages: '页面',
  actions: '操作',
  requests: '请求',
  models: '模型',
  inPlayground: '在试用台打开',
  createToken: '创建令牌',
  copyBaseUrl: '复制 Base URL',
  themeLight: '主题：浅色',
  themeDark: '主题：深色',
  themeSystem: '主题：跟随系统',
  pauseCalls: '暂停新的调用',
  resumeCalls: '恢复新的调用',
  stopCapture: '停止捕获全部',
  failedChannels: '无法搜索渠道：{{problem}}',
  failedTokens: '无法搜索令牌：{{problem}}',
  failedModels: '无法搜索模型：{{problem}}',
  failedRequests: '无法搜索请求：{{problem}}',
}
