import type { OptionArea } from './option-entry.ts'

const choice: OptionArea = {
  name: 'areaRouting',
  entries: [
    { key: 'RetryTimes', kind: 'number', label: 'retryTimes', hint: 'retryTimesHint' },
    {
      key: 'PreferNativeFormat',
      kind: 'switch',
      label: 'preferPassthrough',
      hint: 'preferPassthroughHint',
    },
    { key: 'RouteByHealth', kind: 'switch', label: 'routeByHealth', hint: 'routeByHealthHint' },
    { key: 'SessionAffinityEnabled', kind: 'switch', label: 'affinity', hint: 'affinityHint' },
    {
      key: 'SessionAffinityMinutes',
      kind: 'number',
      label: 'affinityMinutes',
      hint: 'affinityMinutesHint',
      unit: 'minutes',
    },
    { key: 'AutomaticRetryStatusCodes', kind: 'text', label: 'retryCodes', hint: 'retryCodesHint' },
    { key: 'RetryOnTimeout', kind: 'switch', label: 'retryOnTimeout', hint: 'retryOnTimeoutHint' },
    { key: 'RetryRules', kind: 'json', label: 'retryRules', hint: 'retryRulesHint' },
    {
      key: 'RetryWaitSeconds',
      kind: 'decimal',
      label: 'retryWait',
      hint: 'retryWaitHint',
      unit: 'seconds',
    },
    {
      key: 'RetryBudgetSeconds',
      kind: 'number',
      label: 'retryBudget',
      hint: 'retryBudgetHint',
      unit: 'seconds',
    },
  ],
}

const health: OptionArea = {
  name: 'areaHealth',
  entries: [
    { key: 'ChannelFailureCount', kind: 'number', label: 'failureCount', hint: 'failureCountHint' },
    {
      key: 'ChannelFailureWindowSeconds',
      kind: 'number',
      label: 'failureWindow',
      hint: 'failureWindowHint',
      unit: 'seconds',
    },
    {
      key: 'ChannelCooldownSeconds',
      kind: 'number',
      label: 'cooldown',
      hint: 'cooldownHint',
      unit: 'seconds',
    },
    { key: 'ChannelCooldownMaxSeconds', kind: 'number', label: 'cooldownMax', unit: 'seconds' },
    {
      key: 'AutomaticDisableChannelEnabled',
      kind: 'switch',
      label: 'autoDisable',
      hint: 'autoDisableHint',
    },
    {
      key: 'AutomaticDisableStatusCodes',
      kind: 'text',
      label: 'disableCodes',
      hint: 'disableCodesHint',
    },
    {
      key: 'AutomaticDisableKeywords',
      kind: 'long-text',
      label: 'disableWords',
      hint: 'disableWordsHint',
    },
    {
      key: 'ChannelDisableFailures',
      kind: 'number',
      label: 'disableFailures',
      hint: 'disableFailuresHint',
    },
    {
      key: 'AutomaticEnableChannelEnabled',
      kind: 'switch',
      label: 'autoEnable',
      hint: 'autoEnableHint',
    },
    {
      key: 'ChannelDisableThreshold',
      kind: 'decimal',
      label: 'slowestTest',
      hint: 'slowestTestHint',
      unit: 'seconds',
    },
    {
      key: 'monitor_setting.auto_test_channel_enabled',
      kind: 'switch',
      label: 'autoTest',
      hint: 'autoTestHint',
    },
    {
      key: 'monitor_setting.auto_test_channel_minutes',
      kind: 'number',
      label: 'autoTestEvery',
      unit: 'minutes',
    },
  ],
}

const limits: OptionArea = {
  name: 'areaTimeouts',
  entries: [
    {
      key: 'UpstreamConnectSeconds',
      kind: 'number',
      label: 'upstreamConnect',
      hint: 'zeroNoLimit',
      unit: 'seconds',
    },
    {
      key: 'UpstreamFirstByteSeconds',
      kind: 'number',
      label: 'upstreamFirstByte',
      hint: 'upstreamFirstByteHint',
      unit: 'seconds',
    },
    {
      key: 'UpstreamIdleSeconds',
      kind: 'number',
      label: 'upstreamIdle',
      hint: 'zeroNoLimit',
      unit: 'seconds',
    },
    {
      key: 'UpstreamTotalSeconds',
      kind: 'number',
      label: 'upstreamTotal',
      hint: 'upstreamTotalHint',
      unit: 'seconds',
    },
    {
      key: 'StreamKeepAliveSeconds',
      kind: 'number',
      label: 'keepAlive',
      hint: 'keepAliveHint',
      unit: 'seconds',
    },
    { key: 'UseSystemProxy', kind: 'switch', label: 'systemProxy', hint: 'systemProxyHint' },
    {
      key: 'ExtraCaCertificates',
      kind: 'long-text',
      label: 'extraCertificates',
      hint: 'extraCertificatesHint',
    },
  ],
}

const overload: OptionArea = {
  name: 'areaOverload',
  entries: [
    { key: 'MaxConcurrentCalls', kind: 'number', label: 'concurrentCalls', hint: 'zeroAny' },
    { key: 'MaxWaitingCalls', kind: 'number', label: 'queuedCalls', hint: 'queuedCallsHint' },
    {
      key: 'MaxWaitingSeconds',
      kind: 'number',
      label: 'maxQueueTime',
      hint: 'maxQueueTimeHint',
      unit: 'seconds',
    },
  ],
}

const fetches: OptionArea = {
  name: 'areaFetches',
  entries: [
    {
      key: 'fetch_setting.fetch_files',
      kind: 'switch',
      label: 'fetchFiles',
      hint: 'fetchFilesHint',
    },
    {
      key: 'fetch_setting.allowed_ports',
      kind: 'number-list',
      label: 'fetchPorts',
      hint: 'fetchPortsHint',
    },
  ],
}

export const routingAreas: readonly OptionArea[] = [choice, health, limits, overload, fetches]
