/** Keys of the options that people change, in the order of the page. */
export const oftenChanged: readonly string[] = [
  'CaptureLevel',
  'LogDays',
  'RetryTimes',
  'AutomaticDisableChannelEnabled',
  'SessionAffinityEnabled',
  'UpstreamFirstByteSeconds',
  'MaxConcurrentCalls',
  'UseSystemProxy',
  'AllowedHosts',
  'general_setting.quota_display_type',
]
