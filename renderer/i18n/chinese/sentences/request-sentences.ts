/** What is wrong with a request that never became a call, or with a message of a session, and what helps. */
export const requestSentences = {
  path_unknown: 'URL 无效（{{method}} {{path}}）',
  path_doubled: 'URL 无效（{{method}} {{path}}）。请从客户端的基础 URL 中去掉 {{surplus}}。',
  path_escape_broken: '路径中的 % 转义不完整。单独的 % 请写成 %25。',
  path_takes: '{{path}} 接受 {{methods}}，而不是 {{method}}。',
  path_begins_websocket: 'GET {{path}} 用于建立 WebSocket：请带上“Upgrade: websocket”发送。',
  gateway_failed_on_request: '网关处理此请求时失败；原因在其日志中。',
  lists_too_deep: '模型或工具的列表嵌套过深，请减少层数后重新发送。',
  updated_while_running: 'Switchyard 在运行期间被更新了，请重新启动它。',
  page_size_wrong: '{{field}}：必须是 1 到 {{most}} 的整数，而不是“{{given}}”。',
  page_place_unknown: '{{field}}：“{{given}}”不是此列表中的模型。请去掉它重新开始。',
  pinned_no_number: '密钥指定了渠道“{{given}}”；渠道编号是一个数字：sk-<密钥>-<渠道编号>。',
  key_masked: '这是令牌在列表中显示的掩码形式。请在控制台的“连接 → 令牌”中复制完整的密钥。',
  key_unknown:
    '此密钥不是本网关的令牌。请在控制台的“连接 → 令牌”中创建一个。厂商自己的密钥应填入渠道。',
  key_missing:
    '没有发送密钥。请以“Authorization: Bearer sk-…”、x-api-key、x-goog-api-key 或 api-key 发送本网关的令牌。',
  key_without_quota: '只有令牌才有额度。请以“Authorization: Bearer sk-…”发送本网关的令牌。',
  token_deleted: '令牌“{{token}}”已被删除。请使用另一个令牌。',
  model_hidden: '此处没有模型“{{model}}”，或此令牌不能使用它。',
  model_missing: 'model：必填，即 GET /v1/models 所列模型的名称。',
  model_no_text: 'model：必须是字符串。',
  model_twice: 'model：在 URL 中出现了两次。请只发送一次。',
  model_missing_in_url: 'model：必填。请在 URL 中加上 ?model=…，填 GET /v1/models 所列的模型。',
  model_missing_for_channel:
    'model：此处也必填，因为它决定渠道。请在 URL 中加上 &model=…，或使用指定渠道的密钥（sk-<密钥>-<渠道编号>）。',
  form_wanted:
    'Content-Type：此端点接受带文件的表单（multipart/form-data），文件字段为 {{files}}。',
  json_wanted: 'Content-Type：此端点接受 JSON，而不是表单。',
  request_stalled: '{{seconds}} 秒内没有收到请求的更多内容。请重新发送。',
  request_slow: '请求正文用时超过 {{seconds}} 秒。请更快地重新发送。',
  body_too_large: '请求正文（解码后）大于 {{mebibytes}} MiB。请减少内容。',
  codings_layered: 'Content-Encoding：最多叠加两种编码。',
  coding_unsupported:
    'Content-Encoding：此处不支持“{{coding}}”。请不编码发送正文，或使用 {{known}}。',
  body_corrupt: '请求正文不是有效的 {{coding}}。请不压缩发送。',
  websocket_key_wrong: 'Sec-WebSocket-Key：必须是 16 字节的 base64。',
  websocket_version_wrong: 'Sec-WebSocket-Version：必须是 13，而不是 {{given}}。',
  websocket_protocols_wrong: 'Sec-WebSocket-Protocol：必须是名称列表，每个名称只出现一次。',
  gateway_stopping: '网关正在停止。请稍后重试。',
  message_no_object: '消息必须是文本形式的 JSON 对象。',
  message_first_wrong: 'type：第一条消息必须是指定模型的 response.create。',
  session_at_limit: '会话已达到最长 60 分钟。请打开新的会话。',
  previous_response_gone:
    'previous_response_id：找不到编号为“{{id}}”的先前响应。它在别处生成，或已被遗忘：请将整个对话作为 input 发送。',
  file_unfetchable:
    '{{field}}：上游不接受这样的地址，而网关无法获取它：{{problem}}。请以数据（base64）发送文件。',
  form_type_missing: 'Content-Type：必须是带 boundary 的 multipart/form-data。',
  form_boundary_missing: 'Content-Type：没有 boundary。请让生成表单的库来设置此标头。',
  form_boundary_long: 'Content-Type：boundary 超过 200 个字符。',
  form_too_large: '表单大于 {{mebibytes}} MiB。',
  form_unreadable: '无法读取表单。',
  upload_unkept: '无法将上传内容保存到临时文件（{{system}}）。请释放磁盘空间后重新发送。',
  headers_slow: '请求的标头到达得太慢。请重新发送。',
  headers_large: '请求的 URL 和标头太大。请缩短它们。',
  began_with_tls: '客户端发起了 TLS 连接，而网关使用明文 HTTP。',
  called_by_https: '你的工具使用了 https://：请将其基础 URL 以 http:// 开头。',
  began_with_http2: '客户端使用了 HTTP/2，而网关使用 HTTP/1.1。',
  http2_off: '请在你的工具中关闭 HTTP/2。',
  request_no_http: '请求不是有效的 HTTP/1.1：{{problem}}。',
  host_header_missing: 'Host：HTTP/1.1 请求必须有此标头。',
  expectation_unknown: 'Expect：只支持 100-continue。',
  asked_for_proxy: 'CONNECT 要求代理，而本网关不是代理。',
  used_as_proxy:
    '你的工具将 Switchyard 用作 HTTP 代理：请从 HTTP_PROXY 和 HTTPS_PROXY 中去掉它，并将工具的基础 URL 设为 {{url}}。',
  use_url: '请使用 {{url}}。',
  host_unlisted:
    '你的工具以“{{host}}”调用本网关：请在“设置”的 AllowedHosts 中加入 {{name}}，或使用 {{url}}。',
  origin_unlisted:
    '{{origin}} 的页面调用了 {{path}}：请在“设置”的 AllowedOrigins 中加入 {{origin}}。',
  path_advice: '你的工具调用了 {{path}}：{{advice}}',
  base_url_slash: '请去掉其基础 URL 末尾的斜杠。',
  base_url_without: '请从其基础 URL 中去掉 {{part}}。',
  base_url_with: '请在其基础 URL 末尾加上 {{part}}。',
  base_url_must_be: '其基础 URL 必须是 {{url}}。',
  key_in_header: '你的工具在标头“{{name}}”中发送密钥：请以“Authorization: Bearer sk-…”发送。',
  key_in_query: '你的工具在查询参数“{{name}}”中发送密钥：请以“Authorization: Bearer sk-…”发送。',
  key_by_scheme:
    '你的工具以“Authorization: {{name}}”发送密钥：请以“Authorization: Bearer sk-…”发送。',
  key_of_claude_account:
    '你的工具发送了 Claude 账户的登录凭据（sk-ant-oat…）：请将其填入渠道，并给工具本网关的令牌。',
  key_of_vendor:
    '你的工具发送了 {{vendor}} 的密钥（{{shape}}）：请将其填入渠道，并给工具本网关的令牌。',
  key_of_account:
    '你的工具发送了账户的登录凭据，而不是密钥：请在那里退出登录，并给工具本网关的令牌。',
  codex_falls_back: '无需处理：Codex 会自行改用 HTTP。',
  anthropic_version_unsent:
    '你的工具没有发送 anthropic-version：请添加标头“anthropic-version: 2023-06-01”。',
} as const
