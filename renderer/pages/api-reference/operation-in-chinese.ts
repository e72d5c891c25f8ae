import { accountSummaries } from '../../i18n/chinese/api-summaries/account-summaries.ts'
import { callSummaries } from '../../i18n/chinese/api-summaries/call-summaries.ts'
import { channelSummaries } from '../../i18n/chinese/api-summaries/channel-summaries.ts'
import { gatewaySummaries } from '../../i18n/chinese/api-summaries/gateway-summaries.ts'
import { modelCallSummaries } from '../../i18n/chinese/api-summaries/model-call-summaries.ts'
import { statuses } from '../../i18n/chinese/api-summaries/statuses.ts'
import type { ApiOperation } from './api-operations.ts'

const summaries: Readonly<Record<string, string>> = {
  ...accountSummaries,
  ...callSummaries,
  ...channelSummaries,
  ...gatewaySummaries,
  ...modelCallSummaries,
}

/** An operation in Chinese, by its id and the codes of its statuses; the document has the English. */
export const operationInChinese = (operation: ApiOperation): ApiOperation => ({
  ...operation,
  summary: summaries[operation.name] ?? operation.summary,
  statuses: operation.statuses.map(({ status, text }) => ({
    status,
    text: statuses[status] ?? text,
  })),
})
