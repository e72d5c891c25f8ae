/** Steps and warnings of Connect; backticks mark what is copied. */
export const connectSentences = {
  connect_variable_set: 'shell 变量 {{name}} 已设置，优先于此文件。请取消设置。',
  connect_proxy:
    '已设置 {{name}}，因此它对 {{host}} 的调用可能会发往该代理，到不了这里。请在设置 {{name}} 的地方把 {{host}} 加入 NO_PROXY。',
  connect_other_gateway: '它现在指向 {{address}} 上的另一个 Switchyard，之后将不再调用那个。',
  connect_model_refused: '令牌“{{token}}”不能使用“{{model}}”。请更改其模型，或换一个令牌。',
  connect_old_address: '它指向此网关的旧地址 {{before}}。请使用新地址 {{now}}。',
  connect_points_elsewhere: '它曾在此连接，之后指向了别处。',
  connect_points_at: '它曾在此连接，之后指向了 {{address}}。',
  connect_keys_changed: '此处设置的键之后被修改过。',
  aider_env: '{{path}} 中给 Aider 的行优先于此文件。',
  cline_extension:
    '仅限扩展且它使用其他提供商时：在其设置中将 API Provider 选为 `OpenAI Compatible`，Model ID 填 `{{model}}`。命令行无需其他操作。',
  codex_profile: 'config.toml 中有“profile”键，当前版本的 Codex 会因此拒绝启动。',
  codex_sessions:
    'Codex 只列出当前提供商的会话：之前的会话会在撤销后恢复显示。要现在继续其中一个，请用其 id 运行 `codex resume`。',
  continue_choose: '在 Continue 的模型列表中选择 `{{name}}`。',
  continue_config: '此文件旁的 config.ts 可能会更改它的模型。',
  copilot_lines: '在启动 `copilot` 的 shell 中运行这些行，或写入其配置文件以长期保留。',
  copilot_unset:
    '如果设置了 `COPILOT_PROVIDER_BEARER_TOKEN` 和 `COPILOT_PROVIDER_API_KEY_COMMAND`，请取消设置：它们优先。',
  copilot_limits:
    '对于它不认识的模型，请再设置 `COPILOT_PROVIDER_MAX_PROMPT_TOKENS` 和 `COPILOT_PROVIDER_MAX_OUTPUT_TOKENS`：否则它会采用较小的限制。',
  crush_script: '{{path}} 会在此文件之后读取。如果它选择了模型，请删掉那些行。',
  cursor_address:
    '调用来自 Cursor 的服务器，而不是本机，因此 `{{address}}` 在那里无效。请给网关一个公网 https 地址（隧道或反向代理），并将其名称加入选项 `AllowedHosts`。',
  cursor_key:
    '在 Cursor Settings 中打开 Models，再打开 API Keys。开启 OpenAI API Key 并粘贴 `<token>`',
  cursor_base_url: '开启 Override OpenAI Base URL，填入你的公网地址并以 `/v1` 结尾。',
  cursor_model:
    '添加模型 `{{model}}` 并启用。名称中含 gpt、claude 或 gemini 的模型可能会收到其他格式的请求：如果调用失败，请在渠道中给模型另取名称。',
  gemini_trust: 'Gemini CLI 只在你信任的文件夹中读取 .env，每个文件夹会询问一次。',
  llm_model: '模型名为 `{{id}}`。若要不加 `-m` 使用，请运行 `llm models default {{id}}`',
  opencode_hidden: '它的启用和停用提供商列表隐藏了“{{id}}”。请在那里允许它。',
  roo_ended: 'Roo Code 已于 2026 年 5 月停止，不再更新；其作者推荐 Cline。已安装的仍可使用：',
  roo_provider: '打开它的设置，再打开 Providers。将 API Provider 选为 `OpenAI Compatible`。',
  roo_fields: '填入 Base URL `{{address}}/v1`、API 密钥 `<token>` 和模型 `{{model}}`',
  roo_names: '名称中含 o1、o3 或 o4 的模型会收到面向 OpenAI 推理模型的请求：请换一个名称。',
  sdk_lines: '设置你所用 SDK 的那些行。从同一 shell 启动的其他程序也会读取它们。',
  sdk_unset:
    '如果设置了 `ANTHROPIC_AUTH_TOKEN`、`GOOGLE_API_KEY` 和 `GOOGLE_GENAI_USE_VERTEXAI`，请取消设置：它们优先。',
  sdk_model: '模型由程序自己指定。它在代码中设置的地址或密钥优先于这些变量。',
  vscode_key:
    '在命令面板中运行 `Chat: Manage Language Models`。在 `{{name}}` 处选择 Update API Key 并粘贴 `<token>`',
  vscode_model: '在聊天的模型列表中选择 `{{model}}`。',
  zed_settings:
    '在 Zed 的命令面板中运行 `agent: open settings`。在 LLM Providers 下打开 `{{id}}`。',
  zed_paste: '粘贴密钥并按回车：`<token>`',
} as const
