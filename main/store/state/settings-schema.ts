import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import { isAddressEntry } from '../../base/net/address-list.ts'
import { isFeedAddress } from '../../base/net/feed-address.ts'
import { MAX_QUOTA } from '../../base/quota.ts'

const factors = z.record(z.string(), z.number().min(0))
const unitPrices = z.strictObject({
  second: z.number().min(0).optional(),
  character: z.number().min(0).optional(),
  image: z.number().min(0).optional(),
  search: z.number().min(0).optional(),
})
const quota = z.number().int().min(0).max(MAX_QUOTA)
const seconds = z.number().int().min(0).max(86_400)

const isStatusRange = (item: string): boolean => {
  const [first = 0, last = first] = item.split('-').map(Number)
  return first >= 100 && first <= last && last <= 599
}

/** `100-199,429,500-503`: HTTP statuses and ranges of them. */
const statusList = z
  .string()
  .regex(/^$|^\s*\d{3}(-\d{3})?(\s*,\s*\d{3}(-\d{3})?)*\s*$/, fieldProblems.field_status_list)
  .refine(
    (text) => text === '' || text.split(',').every(isStatusRange),
    fieldProblems.field_status_ranges,
  )

/** Names that are shown or sent in headers must not break a line. */
const oneLine = z
  .string()
  .max(2000)
  .regex(/^[^\r\n]*$/, fieldProblems.field_single_line)

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Is it a host as requests name it, an IPv6 address in brackets, perhaps with a port? */
const isHost = (text: string): boolean =>
  /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*\.?)(?::\d{1,5})?$/i.test(text) &&
  URL.canParse(`http://${text}`)

/** A text that a page shows, as Markdown. */
const pageText = z.string().max(100_000)

/** A vendor's key: visible ASCII, which a header takes. */
const secret = z
  .string()
  .max(2000)
  .regex(/^[\x21-\x7e]*$/, fieldProblems.field_visible_ascii)

const factorsOfGroups = z.record(z.string(), factors)
const groupNames = z.array(oneLine.min(1))

/** Conditions on a failed attempt (all that are named must hold), and the action. */
const retryRules = z
  .array(
    z.strictObject({
      /** `429,500-503`. */
      status: statusList.optional(),
      /** The vendor's code or type of the error, any of these. */
      codes: z.array(oneLine.min(1)).min(1).optional(),
      /** Words in the vendor's message, in any case. */
      text: oneLine.min(1).optional(),
      kind: z.enum(['connect', 'timeout', 'cut', 'invalid']).optional(),
      action: z.enum(['next', 'stop']),
    }),
  )
  .max(100)
const requestLimits = z.record(
  z.string(),
  z.tuple([z.number().int().min(0), z.number().int().min(0)]),
)
const payMethods = z.array(
  z.looseObject({ name: oneLine, type: oneLine, color: oneLine.optional() }),
)

/** Something that is sold through Creem; `productId` is Creem's. */
const creemProducts = z.array(
  z.strictObject({
    productId: oneLine.min(1),
    name: oneLine.min(1),
    /** In major units of `currency`, as it is shown. */
    price: z.number().min(0),
    currency: z.string().regex(/^[A-Za-z]{3}$/, fieldProblems.field_currency),
    /** Units that are credited. */
    quota: z.number().int().min(1).max(MAX_QUOTA),
  }),
)

/** The check of every setting; the names are the wire's, since they are the keys of the option list. */
export const settingsSchema = z.object({
  /** Name shown by the console. */
  SystemName: oneLine,
  /** Public address of this gateway, for callback links; '' = the address it listens on. */
  ServerAddress: oneLine.refine(
    (text) => text === '' || isWebAddress(text),
    fieldProblems.field_web_address,
  ),
  /** Further channels tried after the first one failed. */
  RetryTimes: z.number().int().min(0).max(20),
  /** Among channels of one priority, those first that speak the client's wire format themselves. */
  PreferNativeFormat: z.boolean(),
  /** Upstream statuses after which the next channel is tried. */
  AutomaticRetryStatusCodes: statusList,
  /** The owner's own balance never refuses a call. */
  SelfUseModeEnabled: z.boolean(),
  DemoSiteEnabled: z.boolean(),
  /** Unix seconds since when no new model calls are taken; 0 = they are. Outlasts a restart. */
  PausedSince: z.number().int().min(0),
  /** Notifications of the desktop: a vendor refuses a key; something is used up; a channel is gone. */
  DesktopNotifyKeyRefused: z.boolean(),
  DesktopNotifyBudget: z.boolean(),
  DesktopNotifyChannel: z.boolean(),
  /** Business failures of the management API answer 200, as new-api does. */
  LegacyStatus: z.boolean(),
  /** Host names besides the loopback ones that requests may name. */
  AllowedHosts: z.array(oneLine.refine(isHost, fieldProblems.field_host)),
  /** Proxies in front of the gateway, whose X-Forwarded-For, -Proto and -Host are believed. */
  TrustedProxies: z.array(oneLine.refine(isAddressEntry, fieldProblems.field_address_range)),
  /** Web origins that may call model routes. */
  AllowedOrigins: z.array(oneLine),
  ModelRatio: factors,
  CompletionRatio: factors,
  CacheRatio: factors,
  CreateCacheRatio: factors,
  /** Images read, against plain input. */
  ImageRatio: factors,
  /** Sound heard, against plain input. */
  AudioRatio: factors,
  /** Sound spoken, against sound heard. */
  AudioCompletionRatio: factors,
  ModelPrice: factors,
  /** Prices of other units than tokens, in dollars a unit, by model. */
  UnitPrice: z.record(z.string(), unitPrices),
  GroupRatio: factors,
  /** Group of the user → group that is used → factor, in place of that of `GroupRatio`. */
  GroupGroupRatio: factorsOfGroups,
  /** Groups that users may choose for their tokens, with what they are told of them. */
  UserUsableGroups: z.record(z.string(), oneLine),
  /** Groups that `auto` tries, in order. */
  AutoGroups: groupNames,
  /** New tokens begin with the group `auto`. */
  DefaultUseAutoGroup: z.boolean(),
  /** Price factor of a top-up, by the buyer's group. */
  TopupGroupRatio: factors,
  /** An upstream that says nothing for so long is given up; 0 = never. */
  UpstreamIdleSeconds: seconds,
  /** A stream that has nothing to say sends a comment this often; 0 = never. */
  StreamKeepAliveSeconds: seconds,
  /** Try the next channel after 504 and 524 as well, while nothing was sent. */
  RetryOnTimeout: z.boolean(),
  /** The owner's own rules of what is tried again, asked before those that are built in. */
  RetryRules: retryRules,
  /** A channel whose cooldown ends within so many seconds is waited for; 0 = none is. */
  RetryWaitSeconds: z.number().min(0).max(60),
  /** No other channel is tried when a call is older than this; 0 = however old it is. */
  RetryBudgetSeconds: seconds,
  /** Failures in a row, within the window, after which a channel, key or model cools down; 0 = never. */
  ChannelFailureCount: z.number().int().min(0).max(1000),
  ChannelFailureWindowSeconds: z.number().int().min(1).max(86_400),
  /** The first wait; each further one is twice as long, up to the longest. */
  ChannelCooldownSeconds: z.number().int().min(1).max(86_400),
  ChannelCooldownMaxSeconds: z.number().int().min(1).max(86_400),
  /** Failures by the rule for disabling, with no answer between them, after which it holds. */
  ChannelDisableFailures: z.number().int().min(1).max(100),
  /** A conversation goes on at the channel and key that answered it last. */
  SessionAffinityEnabled: z.boolean(),
  SessionAffinityMinutes: z.number().int().min(1).max(1440),
  /** Among equals the faster and more reliable channel is drawn more often. */
  RouteByHealth: z.boolean(),
  /** Time limits of upstreams, in seconds, where a channel has none of its own; 0 = none. */
  UpstreamConnectSeconds: seconds,
  UpstreamFirstByteSeconds: seconds,
  UpstreamTotalSeconds: seconds,
  /** Authorities that are trusted besides the usual ones: certificates in PEM, or the path of a file with them. */
  ExtraCaCertificates: z.string().max(500_000),
  /**
   * Channels without a proxy of their own take the system's: in the desktop as the system's settings say, headless
   * that of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY.
   */
  UseSystemProxy: z.boolean(),
  /** Model calls running at once; 0 = any. Further ones queue, up to a number and a time. */
  MaxConcurrentCalls: z.number().int().min(0).max(1_000_000),
  MaxWaitingCalls: z.number().int().min(0).max(1_000_000),
  MaxWaitingSeconds: seconds,
  /** Ports that fetches of URLs which users name (pictures, notices) may go to; empty = any. */
  'fetch_setting.allowed_ports': z.array(z.number().int().min(1).max(65_535)),
  /** Pictures and documents that a call names by URL are fetched where its vendor takes no URL. */
  'fetch_setting.fetch_files': z.boolean(),
  /** Ledger rows older than this many days are removed; 0 = kept for ever. */
  LogDays: z.number().int().min(0).max(36_500),
  CaptureLevel: z.enum(['off', 'memory', 'failures', 'all']),
  CaptureDays: z.number().int().min(0).max(36_500),
  CaptureMegabytes: z.number().int().min(1).max(1_000_000),
  CaptureBodyMegabytes: z.number().int().min(1).max(64),
  /** Users see the captures of their own calls; else the administrators alone see captures. */
  CaptureForUsers: z.boolean(),
  /** Hours between scheduled backups; 0 = none. */
  BackupHours: z.number().int().min(0).max(8_760),
  /** Scheduled backups that are kept. */
  BackupKeep: z.number().int().min(1).max(1000),
  /** Refused requests older than this many days are removed. */
  RefusedDays: z.number().int().min(1).max(3650),
  /** Events that the desktop shows as system notifications. */
  /** Started at login, the desktop shows no window. */
  DesktopStartHidden: z.boolean(),
  /** Where the desktop looks for a newer version; '' = nowhere. */
  DesktopUpdateFeed: oneLine.refine(
    (text) => text === '' || isFeedAddress(text),
    fieldProblems.field_feed_address,
  ),

  Logo: oneLine,
  Footer: pageText,
  Notice: pageText,
  About: pageText,
  HomePageContent: pageText,
  'legal.user_agreement': pageText,
  'legal.privacy_policy': pageText,
  'general_setting.docs_link': oneLine,
  'general_setting.quota_display_type': z.enum(['USD', 'CNY', 'TOKENS', 'CUSTOM']),
  'general_setting.custom_currency_symbol': oneLine,
  'general_setting.custom_currency_exchange_rate': z.number().positive(),

  /** Strangers may make themselves an account. */
  RegisterEnabled: z.boolean(),
  PasswordRegisterEnabled: z.boolean(),
  /** Off, it lets only the owner sign in with a password, so that nobody is locked out for good. */
  PasswordLoginEnabled: z.boolean(),
  /** Units. */
  QuotaForNewUser: quota,
  /** A user with fewer units left is warned. */
  QuotaRemindThreshold: quota,
  /** Units that a call holds back at least until it is settled. */
  PreConsumedQuota: quota,
  'token_setting.max_user_tokens': z.number().int().min(1).max(1_000_000),

  AutomaticDisableChannelEnabled: z.boolean(),
  AutomaticEnableChannelEnabled: z.boolean(),
  /** Seconds: a channel whose test takes longer is disabled by a test of all. */
  ChannelDisableThreshold: z.number().min(0).max(3600),
  /** One a line; an upstream's message that holds one disables its channel. */
  AutomaticDisableKeywords: z.string().max(10_000),
  AutomaticDisableStatusCodes: statusList,
  'monitor_setting.auto_test_channel_enabled': z.boolean(),
  'monitor_setting.auto_test_channel_minutes': z.number().int().min(1).max(43_200),

  ModelRequestRateLimitEnabled: z.boolean(),
  ModelRequestRateLimitDurationMinutes: z.number().int().min(1).max(1440),
  /** Calls of a user in that time; 0 = any. */
  ModelRequestRateLimitCount: z.number().int().min(0),
  /** Calls of a user in that time that succeeded. */
  ModelRequestRateLimitSuccessCount: z.number().int().min(1),
  /** Group → [calls, calls that succeeded]. */
  ModelRequestRateLimitGroup: requestLimits,

  /** Charts of use are offered. */
  DataExportEnabled: z.boolean(),
  DataExportDefaultTime: z.enum(['hour', 'day', 'week']),
  /** Anyone may read the ratios at `/api/ratio_config`. */
  ExposeRatioEnabled: z.boolean(),
  /** Clients read their token's balance; else that of its user. */
  DisplayTokenStatEnabled: z.boolean(),

  /** Shown beside amounts: what a dollar of quota costs, and what a dollar is worth. */
  Price: z.number().min(0),
  USDExchangeRate: z.number().positive(),
  MinTopUp: z.number().int().min(1),
  PayMethods: payMethods,
  TopUpLink: oneLine,
  'payment_setting.amount_options': z.array(z.number().int().min(1)),
  /** Amount → factor. */
  'payment_setting.amount_discount': z.record(z.string(), z.number().positive().max(1)),
  StripeApiSecret: secret,
  StripeWebhookSecret: secret,
  StripePriceId: oneLine,
  /** Cost of one dollar of quota in the price's currency; shown before the checkout. */
  StripeUnitPrice: z.number().min(0),
  StripeMinTopUp: z.number().int().min(1).max(10_000),
  StripePromotionCodesEnabled: z.boolean(),
  CreemApiKey: secret,
  CreemWebhookSecret: secret,
  CreemProducts: creemProducts,
  CreemTestMode: z.boolean(),
})

/** Settings that are sealed in the file and never read back. */
export const secretSettings = [
  'StripeApiSecret',
  'StripeWebhookSecret',
  'CreemApiKey',
  'CreemWebhookSecret',
] as const

/** Longer than the plain text, which is checked before it is sealed. */
const sealed = z.string()

/** The same as they stand in the file. */
export const storedSettingsSchema = settingsSchema.extend({
  StripeApiSecret: sealed,
  StripeWebhookSecret: sealed,
  CreemApiKey: sealed,
  CreemWebhookSecret: sealed,
} satisfies Record<(typeof secretSettings)[number], z.ZodString>)

export type Settings = z.infer<typeof settingsSchema>
