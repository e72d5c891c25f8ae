/**
 * Reasons why parts of a file aren't imported. The console has the same texts in its languages, by these codes; `{of}` is a name of
 * the file's own.
 */
export const subjectTexts = {
  models: 'Models of {of}',
  one_model: 'A model of {of}',
  key: 'Key of {of}',
  headers: 'Headers of {of}',
  extras: 'Extra headers and fields of {of}',
  query: 'query_params of {of}',
  excluded: 'excluded-models of {of}',
  proxy: 'Proxy of {of}',
  prefix: 'Prefix of {of}',
  address: 'Address of {of}',
  api_version: 'API version of {of}',
  usage_script: 'Usage script of {of}',
  token_key: 'Key of token {of}',
  chatgpt_login: 'ChatGPT login',
  logins: 'Logins in auth-dir',
  cc_switch_rest: 'MCP servers, prompts, skills and usage logs',
  cc_switch_old_rest: 'MCP servers and prompts',
  scripts: 'Transformers and router scripts',
  client_keys: 'Keys for clients',
  plugins: 'Provider plugins',
  gateway_rest: 'Users, redemption codes and logs',
  alias: 'Alias {of}',
  gateway_tokens: 'Tokens',
  gateway_options: 'Prices and groups',
  prices: 'Prices of {of}',
} as const

export const reasonTexts = {
  no_vendor_file_address:
    'Its address isn’t in this file. Import opencode.json as well, and enter the key there.',
  shared_sessions:
    'Account sessions aren’t imported: two programs refreshing one login sign each other out.',
  no_provider: 'It is a {resource}, not a provider.',
  pattern: 'A pattern isn’t a model name. Fetch the vendor’s models in the channel.',
  current_api: 'The current API is used. Enter a version in the channel if you need one.',
  map_it: 'Map it to {model} in a channel’s model mapping.',
  no_fallback_channels:
    'Only fallbacks of one model are imported. Enter others as targets of a route.',
  no_default: 'There is no default model to fall back on. Enter a route on the Routes page.',
  no_target: 'It names a model that no provider in this file has.',
  small_model: 'Choose the small model on the Connect page.',
  rules: 'Enter them as rules of a route.',
  priority_and_weight: 'Channels are chosen by priority and weight.',
  create_tokens: 'Create a token for each tool instead.',
  no_model_name: '“{model}” isn’t a valid model name.',
  transformer: 'Its transformer “{plugin}” has no matching channel type.',
  no_sessions: 'Account sessions aren’t imported.',
  command: 'A command creates its key, and commands are never run.',
  header_override: 'Enter them in the channel’s header override.',
  azure_version: 'For Azure, enter the API version in the channel.',
  codex_profiles: 'They choose a model in Codex, not a vendor.',
  unknown_vendor: 'Unknown vendor and no address.',
  choose_or_connect: 'Choose the model in the tool, or on the Connect page.',
  open_code_setting: 'It is a setting of OpenCode, not of a vendor.',
  signs_in: 'It signs in with an account. Account sessions aren’t imported.',
  lists_models: 'A channel lists the models that it serves.',
  enter_it: 'Enter it in the channel.',
  no_prefix: 'It has no models to put the prefix before.',
  no_address: 'It has no address.',
  no_counterpart: 'They have no counterpart here.',
  not_kept: 'Switchyard doesn’t store these.',
  unreadable_app: 'Providers of “{app}” can’t be read.',
  own_account: 'It signs in with its own account and has no key.',
  app_account: 'It has no key: {app} signs in with its own account.',
  no_scripts: 'Scripts are never imported.',
  elsewhere: 'Its configuration is at another address; links aren’t followed.',
  no_credential: 'The credential “{named}” isn’t in credential_list.',
  address_in_variable: 'Its address is in a variable; variables aren’t read.',
  neither_vendor: 'Unknown vendor and no address.',
  other_files: 'Other files aren’t read. Import each one separately.',
  wrong_key: 'It has spaces or invalid characters.',
  unknown_parameter: 'Unknown link parameter.',
  overrides: 'Enter them in the channel’s overrides.',
  enter_proxy: 'Enter the proxy in the settings or in a channel.',
  own_accounts: 'They sign in with their own accounts and have no keys.',
  unknown_variable: 'Unknown vendor’s variable, and no address with it.',
  masked_token: 'It is masked there. A new key is made.',
  foreign_type: 'Its type, {number} of {program}, has no counterpart here.',
  enter_them: 'Enter them in the channel.',
  own_tokens: 'Only the account’s own tokens are read.',
  choose_model: 'Choose the model in the tool.',
  no_type: 'There is no channel type for {vendor}.',
  no_models: 'No models are named. Fetch the vendor’s list in the channel.',
  some_models:
    'No models are named. A few of {vendor} are filled in. Fetch the vendor’s list in the channel.',
  no_key: 'No key to read. Enter it after the import.',
  key_in_variable:
    'It’s in the variable {variable}; variables aren’t read. Enter it after the import.',
  keys_withheld: '{program}’s API doesn’t expose channel keys. Enter it after the import.',
  two_sites: '{one} and {other} use the same variable. Check the base URL.',
  part_refused: 'It can’t be read: {problem}',
  enter_prices: 'Enter them on the page Usage.',
  one_address: 'A channel has one address. Add a channel for this one if you need it.',
} as const

export type SubjectCode = keyof typeof subjectTexts
export type ReasonCode = keyof typeof reasonTexts

/** A name of the file's own, or one of its parts. */
export type Subject = string | readonly [SubjectCode, of?: string]

export type Reason = ReasonCode | readonly [ReasonCode, Readonly<Record<string, string>>]
