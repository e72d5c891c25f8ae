/** What went wrong at an upstream, or on the way there. */
export const upstreamSentences = {
  of_channel: '渠道“{{channel}}”：{{why}}',
  upstream_failed: '上游失败：{{why}}。{{system}}',
  network_refused: '其地址上没有程序在监听：请检查主机和端口，以及服务器是否在运行',
  network_name_unknown: '主机名不存在：请检查基础 URL 是否有误，以及本机的网络',
  network_name_unanswered: '无法查询主机名：请检查基础 URL 是否有误，以及本机的网络',
  network_host_out_of_reach: '无法到达主机：请检查本机的网络',
  network_out_of_reach: '无法到达网络：请检查本机的网络',
  network_no_answer: '连接没有得到响应：请检查网络，或设置代理',
  network_reset: '连接被重置',
  network_closed_while_sending: '发送时连接被关闭',
  network_closed_early: '连接在回答完整之前被关闭',
  network_other_length: '回答的长度与其声明不同',
  network_headers: '回答的标头超过所接受的大小（{{kibibytes}} KiB）',
  certificate_expired: '其证书已过期：须由其所有者更新（或本机时钟有误）',
  certificate_early: '其证书尚未生效：请检查本机时钟',
  certificate_self_signed:
    '其证书是自签名的：如果信任它，请在“设置”（ExtraCaCertificates）中添加其颁发机构的证书',
  certificate_chain_self_signed:
    '其证书链包含自签名证书：如果信任它，请在“设置”（ExtraCaCertificates）中添加其颁发机构的证书',
  certificate_unverifiable:
    '无法验证其证书：如果信任它，请在“设置”（ExtraCaCertificates）中添加其颁发机构的证书',
  certificate_authority_unknown:
    '不认识其证书的颁发机构：如果信任它，请在“设置”（ExtraCaCertificates）中添加其颁发机构的证书',
  certificate_other_name: '其证书属于另一个主机名：请在基础 URL 中填写证书所属的名称',
  request_unwritable: '无法写出请求：请检查渠道的密钥、基础 URL 和标头覆盖',
  tls_unexpected: '它没有按预期使用 TLS（http 与 https 混淆？）',
  answer_no_http: '它的回答不是 HTTP',
  upstream_total_reached: '上游在 {{seconds}} 秒内没有完成回答（总时限）。',
  upstream_first_byte_late: '上游在 {{seconds}} 秒内没有开始回答（首字节时限）。',
  upstream_fell_silent: '上游有 {{seconds}} 秒没有发送任何内容。',
  upstream_upgrade_late: '上游在 {{seconds}} 秒内没有回应 WebSocket 升级。',
  upstream_end_missing: '上游没有结束已经完整的回答。',
  upstream_redirects_call:
    '渠道“{{channel}}”的上游重定向（状态 {{status}}）{{target}}。网关从不跟随重定向，否则提示词和密钥会发往那里。请检查渠道的基础 URL。',
  redirect_nowhere: '，但没有说明地址',
  redirect_unreadable: '到无法识别的地址',
  redirect_same_host: '到同一主机的另一个地址',
  redirect_to_host: '到主机“{{host}}”',
  upstream_redirect_bare:
    '渠道“{{channel}}”的上游重定向（状态 {{status}}）。请检查渠道的基础 URL。',
  channel_key_refused: '厂商拒绝了渠道“{{channel}}”的密钥（状态 {{status}}）：{{said}}',
  channel_web_page:
    '渠道“{{channel}}”的上游返回了一个网页（状态 {{status}}）：{{said}}。请检查渠道的基础 URL。',
  channel_answered: '渠道“{{channel}}”的上游返回状态 {{status}}：{{said}}',
  no_reason_given: '未说明原因',
  upstream_unreadable: '上游发送了无法读取的内容：{{problem}}',
  upstream_cut_short: '上游在回答完整之前结束了流。',
  upstream_cut_before_event: '渠道“{{channel}}”的上游在第一个事件之前结束了流。',
  upstream_without_event: '上游发送了 {{mebibytes}} MiB 的流，其中没有任何事件。',
  upstream_event_long: '上游发送了超过 {{mebibytes}} MiB 的事件。',
  upstream_answer_long: '上游的回答超过 {{mebibytes}} MiB。',
  upstream_informational: '上游发送了超过 {{most}} 个信息性应答（状态 1xx），却没有回答。',
  upstream_answer_damaged: '上游的压缩回答已损坏。',
  upstream_page_for_json: '渠道“{{channel}}”的上游以 200 返回了一个网页。请检查渠道的基础 URL。',
  upstream_text_for_json:
    '渠道“{{channel}}”的上游以 200 返回了非 JSON 内容。请检查渠道的基础 URL。',
  upstream_json_cut:
    '渠道“{{channel}}”的上游以 200 返回了被截断或不是对象的 JSON。请重试；若仍出现，请检查渠道的基础 URL。',
  upstream_upgrade_refused:
    '渠道“{{channel}}”的上游以状态 {{status}} 回应 WebSocket 升级。那里不支持 WebSocket：请检查渠道的基础 URL 和端点类型。',
  upstream_websocket_wrong: '上游没有按预期使用 WebSocket：{{problem}}。',
  name_unresolved: '本机无法查询上游的主机名。',
  channel_key_unreadable: '渠道“{{channel}}”的密钥已无法读取。请在控制台的“渠道”页重新输入。',
  channel_keys_disabled:
    '渠道“{{channel}}”的所有密钥都已停用。请在控制台的“渠道”页启用一个，或添加一个。',
  channel_mapping_loops:
    '渠道“{{channel}}”的模型映射形成循环：{{models}}。请在控制台的“渠道”页更正。',
  channel_type_unserved:
    '渠道“{{channel}}”的类型 {{type}} 不受支持。请在控制台的“渠道”页选择其他类型。',
  channel_pattern_invalid:
    '渠道的 param_override 中有一个操作没有有效的模式。请在控制台的“渠道”页更正。',
  channel_without_websockets: '渠道“{{channel}}”不支持 WebSocket。',
  text_unchangeable: '此调用中的一段文本无法按渠道的规定修改：{{problem}}。请发送更短的文本。',
  model_unlisted:
    '{{field}}：渠道“{{channel}}”没有列出模型“{{model}}”。请去掉它，或将其加入渠道的模型。',
  address_link_local: '{{host}} 是链路本地地址或元数据地址，渠道不能使用。',
  address_private: '{{host}} 指向本机或专用网络。只有所有者可以填写这样的地址。',
  upstream_unrelayable: '上游发送了无法转发的内容。{{problem}}',
  upstream_broke_off: '上游中断了连接。',
  upstream_ended_session: '上游结束了会话（{{status}}）：{{said}}',
  gateway_failed_on_call: '网关处理此调用时失败。',
} as const
