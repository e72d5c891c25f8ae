/**
 * Small files of our own in the shape that each tool writes, with the document or source that says so, as of August
 * 2026. Every key in them is made up.
 */

/** farion1231/cc-switch: src-tauri/src/database/backup.rs and schema.rs; providers as in provider.rs. */
const ccSwitchSql = `-- CC Switch SQLite 导出
-- user_version: 17
PRAGMA foreign_keys=OFF;
PRAGMA user_version=17;
BEGIN TRANSACTION;
CREATE TABLE providers (id TEXT NOT NULL, app_type TEXT NOT NULL, name TEXT NOT NULL);
INSERT INTO "providers" ("id", "app_type", "name", "settings_config", "sort_index", "meta", "is_current") VALUES ('one', 'claude', 'Ada''s; relay', '{"env":{"ANTHROPIC_AUTH_TOKEN":"sk-test-cc-1","ANTHROPIC_BASE_URL":"https://relay.example.com","ANTHROPIC_MODEL":"claude-sonnet-5-5[1m]","ANTHROPIC_DEFAULT_FABLE_MODEL":"claude-fable-5"}}', 0, '{"apiFormat":"anthropic"}', 1),('two', 'codex', 'DeepSeek', '{"auth":{"OPENAI_API_KEY":"sk-test-cc-2"},"config":"model_provider = \\"own\\"\\nmodel = \\"deepseek-v4-pro\\"\\n[model_providers.own]\\nbase_url = \\"https://api.deepseek.com/v1\\"\\n"}', 1, '{}', 0),('three', 'gemini', 'Google login', '{"env":{}}', 2, '{}', 0);
INSERT INTO "providers" ("id", "app_type", "name", "settings_config", "sort_index", "meta", "is_current") VALUES ('four', 'gemini', 'Gemini', CAST(X'7b22656e76223a7b2247454d494e495f4150495f4b4559223a2241497a612d746573742d34222c2247454d494e495f4d4f44454c223a2267656d696e692d332e382d666c617368227d7d' AS TEXT), NULL, '{}', 0);
INSERT INTO "provider_endpoints" ("id", "provider_id", "app_type", "url", "added_at") VALUES (1, 'one', 'claude', 'https://second.example.com', 1763600000000);
COMMIT;
PRAGMA foreign_keys=ON;
`

/** farion1231/cc-switch: src-tauri/src/app_config.rs, before the database. */
const ccSwitchConfig = JSON.stringify({
  version: 2,
  claude: {
    providers: {
      a: {
        id: 'a',
        name: 'Old relay',
        settingsConfig: {
          env: {
            ANTHROPIC_API_KEY: 'sk-test-old',
            ANTHROPIC_BASE_URL: 'https://old.example.com/v1',
          },
        },
      },
    },
    current: 'a',
  },
  mcp: {},
})

/** farion1231/cc-switch: docs/user-manual/en/5-faq/5.3-deeplink.md. */
const ccSwitchLink =
  'ccswitch://v1/import?resource=provider&app=claude&name=Linked&endpoint=https%3A%2F%2Flink.example.com%2Chttps%3A%2F%2Flink2.example.com&apiKey=sk-test-link&model=claude-sonnet-5-5&haikuModel=claude-haiku-5-5\nccswitch://v1/import?resource=prompt&app=claude&name=Greeting'

/** musistudio/claude-code-router: README.md of version 2, with its transformers and Router. */
const ccrOld = `{ // before version 3
  APIKEY: 'client-key',
  "Providers": [
    { "name": "deepseek", "api_base_url": "https://api.deepseek.com/chat/completions", "api_key": "$MY_DEEPSEEK_KEY",
      "models": ["deepseek-chat"], "transformer": { "use": ["deepseek"], "deepseek-chat": { "use": ["tooluse"] } } },
    { "name": "google", "api_base_url": "https://generativelanguage.googleapis.com/v1beta/models/", "api_key": "AIza-test-1",
      "models": ["gemini-3.8-flash"], "transformer": { "use": ["gemini", ["maxtoken", { "max_tokens": 65536 }]] } },
    { "name": "direct", "api_base_url": "https://direct.example.com/chat/completions", "api_key": "sk-test-direct", "models": ["m"] },
    { "name": "login", "api_base_url": "https://x.example.com", "api_key": "", "models": ["q"], "transformer": { "use": ["qwen-cli"] } },
  ],
  "Router": { "default": "deepseek,deepseek-chat", "longContextThreshold": 60000 },
}`

/** musistudio/claude-code-router: packages/core/src/contracts/app.ts and web/management-server.ts, version 3. */
const ccrExport = JSON.stringify({
  kind: 'claude-code-router-data-export',
  version: 1,
  config: {
    Providers: [
      {
        name: 'Pool',
        type: 'openai_chat_completions',
        baseUrl: 'https://pool.example.com/v1',
        models: ['pool-chat'],
        modelMetadata: { 'pool-chat': { pricing: { inputUsdPerMillionTokens: 1 } } },
        credentials: [
          { name: 'a', apiKey: 'sk-test-a', priority: 1, weight: 2 },
          { name: 'b', apiKey: 'sk-test-b', priority: 2, enabled: false },
        ],
      },
      {
        name: 'Messages',
        type: 'anthropic_messages',
        baseUrl: 'https://messages.example.com',
        apiKey: 'sk-test-m',
        models: ['claude-haiku-5-5'],
      },
    ],
    Router: {
      rules: [{ name: 'haiku', type: 'model-prefix' }],
      fallback: { mode: 'model-chain', models: ['Pool/pool-chat'] },
    },
  },
  files: [],
})

/** BerriAI/litellm: docs/my-website/docs/proxy/configs.md, reliability.md and custom_pricing.md. */
const liteLlm = `environment_variables: { DS_KEY: sk-test-ds }
credential_list:
  - credential_name: az
    credential_values: { api_key: os.environ/AZURE_API_KEY, api_base: https://unit-test.openai.azure.com, api_version: "2024-10-21" }
model_list:
  - model_name: gpt-4o
    litellm_params: { model: azure/gpt-4o-eu, litellm_credential_name: az, rpm: 60, order: 1 }
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: sk-test-oa, order: 2, weight: 3, temperature: 0.2 }
  - model_name: deepseek
    litellm_params: { model: deepseek/deepseek-chat, api_key: os.environ/DS_KEY }
    model_info: { input_cost_per_token: 0.0000004, output_cost_per_token: 0.0000016, cache_read_input_token_cost: 0.00000004 }
  - model_name: local
    litellm_params: { model: openai/facebook/opt-125m, api_base: "http://127.0.0.1:8000/v1", api_key: none }
  - model_name: "anthropic/*"
    litellm_params: { model: "anthropic/*", api_key: sk-test-an }
  - model_name: cloud
    litellm_params: { model: bedrock/converse/x }
router_settings:
  model_group_alias: { "gpt-4": "gpt-4o", cheap: { model: deepseek, hidden: true }, "gpt-4o": "deepseek", gone: "cloud" }
  fallbacks: [{ gpt-4o: [deepseek] }]
litellm_settings:
  default_fallbacks: [local]
general_settings: { master_key: sk-test-master }
`

/** router-for-me/CLIProxyAPI: config.example.yaml. */
const cliProxyApi = `port: 8317
proxy-url: "socks5://proxy.example.com:1080"
auth-dir: "~/.cli-proxy-api"
api-keys: ["client-1"]
gemini-api-key:
  - { api-key: "AIza-test-1", weight: 5, priority: 10, models: [{ name: gemini-2.5-flash, alias: flash }] }
claude-api-key:
  - { api-key: "sk-test-claude", base-url: "https://claude.example.com", prefix: "relay", models: [{ name: claude-haiku-5-5 }] }
openai-compatibility:
  - name: openrouter
    base-url: "https://openrouter.ai/api/v1"
    api-key-entries: [{ api-key: "sk-or-test-1", weight: 2, proxy-url: "http://proxy.example.com:8080" }, { api-key: "sk-or-test-2", weight: 2 }]
    models:
      - { name: "z-ai/glm-5", alias: pool }
      - { name: "deepseek/deepseek-v3.1", alias: pool }
`

/** OpenCode: opencode.ai/docs/providers and opencode.ai/docs/config. */
const openCodeConfig = `{ "$schema": "https://opencode.ai/config.json",
  "model": "acme/coder", "disabled_providers": ["relay"],
  "provider": { // version 1
    "acme": { "npm": "@ai-sdk/openai-compatible", "name": "Acme", "options": { "baseURL": "https://api.acme.example/v1", "apiKey": "{env:ACME_KEY}" },
      "models": { "coder": { "name": "Coder" } } },
    "relay": { "options": { "apiKey": "sk-test-shadowed" } } },
  "providers": { // version 2
    "relay": { "package": "aisdk:@ai-sdk/anthropic", "settings": { "baseURL": "https://relay.example.com/v1", "apiKey": "sk-test-relay" }, "models": { "fast": { "modelID": "claude-haiku-5-5" } } } },
}`

/** OpenCode: opencode.ai/docs/providers, “Credentials”. */
const openCodeAuth = JSON.stringify({
  anthropic: { type: 'api', key: 'sk-ant-test-1' },
  'github-copilot': { type: 'oauth', refresh: 'r', access: 'a', expires: 0 },
})

/** openai/codex: docs/config.md, “model_providers”. */
const codexConfig = `model = "gpt-5.6-sol"
model_provider = "relay"
[model_providers.relay]
name = "Relay"
base_url = "https://relay.example.com/v1"
experimental_bearer_token = "sk-test-bearer"
wire_api = "responses"
[model_providers.other]
base_url = "https://other.example.com/v1"
env_key = "OTHER_KEY"
[model_providers.command]
base_url = "https://command.example.com/v1"
auth = { command = "print-key" }
`

/** openai/codex: docs/authentication.md. */
const codexAuth = JSON.stringify({ OPENAI_API_KEY: 'sk-test-openai', tokens: null })

/** Names as the vendors’ SDKs read them; syntax of motdotla/dotenv’s README.md. */
const env = `# keys
export OPENAI_API_KEY="sk-test-1"   # direct
ANTHROPIC_AUTH_TOKEN=sk-test-2
ANTHROPIC_BASE_URL=https://relay.example.com
DEEPSEEK_API_KEY='sk-test-3'
MOONSHOT_API_KEY=your-key-here
AZURE_API_KEY=test4
AZURE_API_BASE=https://unit-test.openai.azure.com
ACME_API_KEY=sk-test-5
ACME_BASE_URL=https://api.acme.example/v1
COPY_API_KEY=$HOME
AWS_SECRET_ACCESS_KEY=test6
`

/** Aider: aider.chat/docs/config/aider_conf.html. */
const aider = `weak-model: gpt-4o-mini
openai-api-key: sk-test-1
openai-api-base: https://relay.example.com/v1
api-key:
  - gemini=AIza-test-2
  - openrouter=sk-or-test=3
set-env: [DEEPSEEK_API_KEY=sk-test-4]
alias: ["fast:gpt-4o-mini"]
`

export const samples = {
  ccSwitchSql: { id: 'cc-switch', text: ccSwitchSql },
  ccSwitchConfig: { id: 'cc-switch', text: ccSwitchConfig },
  ccSwitchLink: { id: 'cc-switch', text: ccSwitchLink },
  ccrOld: { id: 'claude-code-router', text: ccrOld },
  ccrExport: { id: 'claude-code-router', text: ccrExport },
  liteLlm: { id: 'litellm', text: liteLlm },
  cliProxyApi: { id: 'cli-proxy-api', text: cliProxyApi },
  openCodeConfig: { id: 'opencode', text: openCodeConfig },
  openCodeAuth: { id: 'opencode', text: openCodeAuth },
  codexConfig: { id: 'codex', text: codexConfig },
  codexAuth: { id: 'codex', text: codexAuth },
  env: { id: 'env', text: env },
  aider: { id: 'aider', text: aider },
}
