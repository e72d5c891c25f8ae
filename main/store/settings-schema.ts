import { z } from 'zod'

const factors = z.record(z.string(), z.number().min(0))
const unitPrices = z.strictObject({
  second: z.number().min(0).optional(),
  character: z.number().min(0).optional(),
  image: z.number().min(0).optional(),
  search: z.number().min(0).optional(),
})
const seconds = z.number().int().min(0).max(86_400)

/** `100-199,429,500-503`: HTTP statuses and ranges of them. */
const statusList = z
  .string()
  .regex(/^$|^\s*\d{3}(-\d{3})?(\s*,\s*\d{3}(-\d{3})?)*\s*$/, 'must be like "429,500-503"')

/** Names that are shown or sent in headers must not break a line. */
const oneLine = z
  .string()
  .max(2000)
  .regex(/^[^\r\n]*$/, 'must be a single line')

/** The check of every setting; the names are the wire's, since they are the keys of the option list. */
export const settingsSchema = z.object({
  /** Name shown by the console. */
  SystemName: oneLine,
  /** Public address of this gateway, for callback links; '' = the address it listens on. */
  ServerAddress: oneLine,
  /** Further channels tried after the first one failed. */
  RetryTimes: z.number().int().min(0).max(20),
  /** Among channels of one priority, those first that speak the client's wire format themselves. */
  PreferNativeFormat: z.boolean(),
  /** Upstream statuses after which the next channel is tried. */
  AutomaticRetryStatusCodes: statusList,
  /** The owner's own balance never refuses a call. */
  SelfUseModeEnabled: z.boolean(),
  DemoSiteEnabled: z.boolean(),
  /** Business failures of the management API answer 200, as new-api does. */
  LegacyStatus: z.boolean(),
  /** Host names besides the loopback ones that requests may name. */
  AllowedHosts: z.array(oneLine),
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
  /** What is not sold by the token, in dollars a unit, by model. */
  UnitPrice: z.record(z.string(), unitPrices),
  GroupRatio: factors,
  /** An upstream that says nothing for so long is given up; 0 = never. */
  UpstreamIdleSeconds: seconds,
  /** A stream that has nothing to say sends a comment this often; 0 = never. */
  StreamKeepAliveSeconds: seconds,
  /** Try the next channel after 504 and 524 as well, while nothing was sent. */
  RetryOnTimeout: z.boolean(),
  /** Ledger rows older than this many days are removed; 0 = kept for ever. */
  LogDays: z.number().int().min(0).max(36_500),
})

export type Settings = z.infer<typeof settingsSchema>

/** Values until someone changes them. Kept out of the file, so that a newer version can better them. */
export const defaultSettings: Settings = {
  SystemName: 'Switchyard',
  ServerAddress: '',
  RetryTimes: 2,
  PreferNativeFormat: true,
  AutomaticRetryStatusCodes: '100-199,300-399,401-407,409-499,500-503,505-523,525-599',
  SelfUseModeEnabled: true,
  DemoSiteEnabled: false,
  LegacyStatus: false,
  AllowedHosts: [],
  AllowedOrigins: [],
  ModelRatio: {},
  CompletionRatio: {},
  CacheRatio: {},
  CreateCacheRatio: {},
  ImageRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  ModelPrice: {},
  UnitPrice: {},
  GroupRatio: { default: 1 },
  UpstreamIdleSeconds: 300,
  StreamKeepAliveSeconds: 12,
  RetryOnTimeout: false,
  LogDays: 0,
}
