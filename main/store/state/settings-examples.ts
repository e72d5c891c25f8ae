import type { Settings } from './settings-schema.ts'

type Written = Settings[keyof Settings]

/** The names of settings that are written as a list or an object in JSON. */
type JsonName = {
  [Name in keyof Settings]: Settings[Name] extends Exclude<Written, object> ? never : Name
}[keyof Settings]

/** Examples of settings that are written as JSON, for error messages. */
export const settingExamples: Readonly<Record<JsonName, string>> = {
  AllowedHosts: '["gateway.example.com"]',
  TrustedProxies: '["127.0.0.1", "10.0.0.0/8"]',
  AllowedOrigins: '["https://app.example.com"]',
  ModelRatio: '{"my-model": 1.25}',
  CompletionRatio: '{"my-model": 4}',
  CacheRatio: '{"my-model": 0.1}',
  CreateCacheRatio: '{"my-model": 1.25}',
  ImageRatio: '{"my-model": 2}',
  AudioRatio: '{"my-model": 8}',
  AudioCompletionRatio: '{"my-model": 2}',
  ModelPrice: '{"my-model": 0.04}',
  UnitPrice: '{"my-model": {"second": 0.0001}}',
  GroupRatio: '{"default": 1, "vip": 0.8}',
  GroupGroupRatio: '{"vip": {"default": 0.9}}',
  UserUsableGroups: '{"default": "Default group"}',
  AutoGroups: '["default"]',
  TopupGroupRatio: '{"default": 1, "vip": 0.9}',
  RetryRules: '[{"status": "404", "text": "no healthy upstream", "action": "next"}]',
  'fetch_setting.allowed_ports': '[80, 443]',
  ModelRequestRateLimitGroup: '{"default": [200, 100]}',
  PayMethods: '[{"name": "Stripe", "type": "stripe"}]',
  'payment_setting.amount_options': '[10, 20, 50]',
  'payment_setting.amount_discount': '{"100": 0.95}',
  CreemProducts:
    '[{"productId": "prod_1", "name": "Ten dollars", "price": 10, "currency": "USD", "quota": 5000000}]',
}
