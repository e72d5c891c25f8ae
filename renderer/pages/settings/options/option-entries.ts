import type { OptionArea } from './option-entry.ts'
import { routingAreas } from './routing-entries.ts'

const access: OptionArea = {
  name: 'areaAccess',
  entries: [
    { key: 'AllowedHosts', kind: 'list', label: 'allowedHosts', hint: 'allowedHostsHint' },
    { key: 'TrustedProxies', kind: 'list', label: 'trustedProxies', hint: 'trustedProxiesHint' },
    { key: 'AllowedOrigins', kind: 'list', label: 'allowedOrigins', hint: 'allowedOriginsHint' },
    { key: 'ServerAddress', kind: 'text', label: 'serverAddress', hint: 'serverAddressHint' },
    { key: 'LegacyStatus', kind: 'switch', label: 'legacyStatus', hint: 'legacyStatusHint' },
    { key: 'RegisterEnabled', kind: 'switch', label: 'register', hint: 'registerHint' },
    { key: 'PasswordLoginEnabled', kind: 'switch', label: 'login', hint: 'loginHint' },
  ],
}

const quota: OptionArea = {
  name: 'areaQuota',
  entries: [
    { key: 'SelfUseModeEnabled', kind: 'switch', label: 'selfUse', hint: 'selfUseHint' },
    { key: 'QuotaForNewUser', kind: 'number', label: 'newUser', hint: 'unitsHint' },
    { key: 'QuotaRemindThreshold', kind: 'number', label: 'warnBelow', hint: 'unitsHint' },
    { key: 'PreConsumedQuota', kind: 'number', label: 'preConsumed', hint: 'preConsumedHint' },
    { key: 'token_setting.max_user_tokens', kind: 'number', label: 'maxTokens' },
    { key: 'ExposeRatioEnabled', kind: 'switch', label: 'exposeRatio', hint: 'exposeRatioHint' },
    {
      key: 'ModelRequestRateLimitEnabled',
      kind: 'switch',
      label: 'rateLimit',
      hint: 'rateLimitHint',
    },
    {
      key: 'ModelRequestRateLimitDurationMinutes',
      kind: 'number',
      label: 'rateLimitWindow',
      unit: 'minutes',
    },
    { key: 'ModelRequestRateLimitCount', kind: 'number', label: 'rateLimitAll', hint: 'zeroAny' },
    { key: 'ModelRequestRateLimitSuccessCount', kind: 'number', label: 'rateLimitSuccess' },
    {
      key: 'ModelRequestRateLimitGroup',
      kind: 'json',
      label: 'rateLimitGroups',
      hint: 'rateLimitGroupsHint',
    },
    {
      key: 'CaptureForUsers',
      kind: 'switch',
      label: 'captureForUsers',
      hint: 'captureForUsersHint',
    },
    { key: 'LogDays', kind: 'number', label: 'logDays', hint: 'logDaysHint', unit: 'days' },
    { key: 'DataExportEnabled', kind: 'switch', label: 'charts', hint: 'chartsHint' },
  ],
}

const texts: OptionArea = {
  name: 'areaTexts',
  entries: [
    { key: 'SystemName', kind: 'text', label: 'systemName', hint: 'systemNameHint' },
    { key: 'Logo', kind: 'text', label: 'logo', hint: 'logoHint' },
    { key: 'Notice', kind: 'long-text', label: 'notice', hint: 'textHint' },
    { key: 'About', kind: 'long-text', label: 'about', hint: 'textHint' },
    { key: 'HomePageContent', kind: 'long-text', label: 'homePage', hint: 'textHint' },
    { key: 'Footer', kind: 'long-text', label: 'footer', hint: 'textHint' },
    { key: 'legal.user_agreement', kind: 'long-text', label: 'agreement', hint: 'textHint' },
    { key: 'legal.privacy_policy', kind: 'long-text', label: 'privacy', hint: 'textHint' },
    { key: 'general_setting.docs_link', kind: 'text', label: 'docsLink' },
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
export const optionAreas: readonly OptionArea[] = [...routingAreas, access, quota, texts, payments]
