import type { OptionArea } from './option-entry.ts'
import { routingAreas } from './routing-entries.ts'

const access: OptionArea = {
  name: 'areaAccess',
  entries: [
    { key: 'AllowedHosts', kind: 'list', label: 'allowedHosts', hint: 'allowedHostsHint' },
    { key: 'TrustedProxies', kind: 'list', label: 'trustedProxies', hint: 'trustedProxiesHint' },
    { key: 'AllowedOrigins', kind: 'list', label: 'allowedOrigins', hint: 'allowedOriginsHint' },
    {
      key: 'ServerAddress',
      kind: 'text',
      label: 'serverAddress',
      hint: 'serverAddressHint',
      isForSharing: true,
    },
    { key: 'LegacyStatus', kind: 'switch', label: 'legacyStatus', hint: 'legacyStatusHint' },
    {
      key: 'RegisterEnabled',
      kind: 'switch',
      label: 'register',
      hint: 'registerHint',
      isForSharing: true,
    },
    {
      key: 'PasswordLoginEnabled',
      kind: 'switch',
      label: 'login',
      hint: 'loginHint',
      isForSharing: true,
    },
  ],
}

const quota: OptionArea = {
  name: 'areaQuota',
  entries: [
    {
      key: 'QuotaForNewUser',
      kind: 'number',
      label: 'newUser',
      hint: 'unitsHint',
      isForSharing: true,
    },
    {
      key: 'QuotaRemindThreshold',
      kind: 'number',
      label: 'warnBelow',
      hint: 'unitsHint',
      isForSharing: true,
    },
    { key: 'PreConsumedQuota', kind: 'number', label: 'preConsumed', hint: 'preConsumedHint' },
    {
      key: 'token_setting.max_user_tokens',
      kind: 'number',
      label: 'maxTokens',
      isForSharing: true,
    },
    {
      key: 'ExposeRatioEnabled',
      kind: 'switch',
      label: 'exposeRatio',
      hint: 'exposeRatioHint',
      isForSharing: true,
    },
    {
      key: 'ModelRequestRateLimitEnabled',
      kind: 'switch',
      label: 'rateLimit',
      hint: 'rateLimitHint',
      isForSharing: true,
    },
    {
      key: 'ModelRequestRateLimitDurationMinutes',
      kind: 'number',
      label: 'rateLimitWindow',
      unit: 'minutes',
      isForSharing: true,
    },
    {
      key: 'ModelRequestRateLimitCount',
      kind: 'number',
      label: 'rateLimitAll',
      hint: 'zeroAny',
      isForSharing: true,
    },
    {
      key: 'ModelRequestRateLimitSuccessCount',
      kind: 'number',
      label: 'rateLimitSuccess',
      isForSharing: true,
    },
    {
      key: 'ModelRequestRateLimitGroup',
      kind: 'json',
      label: 'rateLimitGroups',
      hint: 'rateLimitGroupsHint',
      isForSharing: true,
    },
    { key: 'LogDays', kind: 'number', label: 'logDays', hint: 'logDaysHint', unit: 'days' },
    {
      key: 'CaptureLevel',
      kind: 'choice',
      label: 'captureLevel',
      hint: 'captureLevelHint',
      choices: ['off', 'memory', 'failures', 'all'],
    },
    { key: 'CaptureDays', kind: 'number', label: 'captureDays', hint: 'logDaysHint', unit: 'days' },
    {
      key: 'CaptureMegabytes',
      kind: 'number',
      label: 'captureMegabytes',
      hint: 'captureMegabytesHint',
      unit: 'mebibytes',
    },
    {
      key: 'CaptureBodyMegabytes',
      kind: 'number',
      label: 'captureBody',
      hint: 'captureBodyHint',
      unit: 'mebibytes',
    },
    {
      key: 'CaptureForUsers',
      kind: 'switch',
      label: 'captureForUsers',
      hint: 'captureForUsersHint',
      isForSharing: true,
    },
    {
      key: 'RefusedDays',
      kind: 'number',
      label: 'refusedDays',
      hint: 'refusedDaysHint',
      unit: 'days',
    },
    { key: 'DataExportEnabled', kind: 'switch', label: 'charts', hint: 'chartsHint' },
  ],
}

const texts: OptionArea = {
  name: 'areaTexts',
  entries: [
    { key: 'SystemName', kind: 'text', label: 'systemName', hint: 'systemNameHint' },
    { key: 'Logo', kind: 'text', label: 'logo', hint: 'logoHint', isForSharing: true },
    { key: 'Notice', kind: 'long-text', label: 'notice', hint: 'textHint', isForSharing: true },
    { key: 'About', kind: 'long-text', label: 'about', hint: 'textHint', isForSharing: true },
    {
      key: 'HomePageContent',
      kind: 'long-text',
      label: 'homePage',
      hint: 'textHint',
      isForSharing: true,
    },
    { key: 'Footer', kind: 'long-text', label: 'footer', hint: 'textHint', isForSharing: true },
    {
      key: 'legal.user_agreement',
      kind: 'long-text',
      label: 'agreement',
      hint: 'textHint',
      isForSharing: true,
    },
    {
      key: 'legal.privacy_policy',
      kind: 'long-text',
      label: 'privacy',
      hint: 'textHint',
      isForSharing: true,
    },
    { key: 'general_setting.docs_link', kind: 'text', label: 'docsLink', isForSharing: true },
    {
      key: 'general_setting.quota_display_type',
      kind: 'choice',
      label: 'display',
      hint: 'displayHint',
      choices: ['USD', 'CNY', 'TOKENS', 'CUSTOM'],
    },
    { key: 'general_setting.custom_currency_symbol', kind: 'text', label: 'symbol' },
    {
      key: 'general_setting.custom_currency_exchange_rate',
      kind: 'decimal',
      label: 'rate',
      hint: 'rateHint',
    },
  ],
}

const payments: OptionArea = {
  name: 'areaPayments',
  entries: [
    { key: 'StripeApiSecret', kind: 'secret', label: 'stripeKey' },
    { key: 'StripeWebhookSecret', kind: 'secret', label: 'stripeWebhook', hint: 'stripeHookHint' },
    { key: 'StripePriceId', kind: 'text', label: 'stripePrice', hint: 'stripePriceHint' },
    { key: 'StripeUnitPrice', kind: 'decimal', label: 'stripeUnit', hint: 'stripeUnitHint' },
    { key: 'StripeMinTopUp', kind: 'number', label: 'stripeMinimum' },
    { key: 'StripePromotionCodesEnabled', kind: 'switch', label: 'promotion' },
    { key: 'CreemApiKey', kind: 'secret', label: 'creemKey' },
    { key: 'CreemWebhookSecret', kind: 'secret', label: 'creemWebhook', hint: 'creemHookHint' },
    { key: 'CreemProducts', kind: 'json', label: 'creemProducts', hint: 'creemProductsHint' },
    { key: 'CreemTestMode', kind: 'switch', label: 'creemTest' },
    { key: 'payment_setting.amount_options', kind: 'json', label: 'amounts', hint: 'amountsHint' },
    {
      key: 'payment_setting.amount_discount',
      kind: 'json',
      label: 'discounts',
      hint: 'discountsHint',
    },
    { key: 'MinTopUp', kind: 'number', label: 'minimumTopUp' },
    { key: 'TopUpLink', kind: 'text', label: 'topUpLink', hint: 'topUpLinkHint' },
    { key: 'Price', kind: 'decimal', label: 'price', hint: 'priceHint' },
    { key: 'USDExchangeRate', kind: 'decimal', label: 'exchangeRate', hint: 'exchangeRateHint' },
  ],
}

/** In the order of the page. */
export const optionAreas: readonly OptionArea[] = [
  ...routingAreas,
  access,
  quota,
  texts,
  {
    ...payments,
    entries: payments.entries.map((entry) => ({ ...entry, isForSharing: true })),
  },
]
