import { accountOperations } from '../account/account.ts'
import { loginOperations } from '../account/login.ts'
import { ownSettingOperations } from '../account/own-setting.ts'
import { sessionOperations } from '../account/sessions.ts'
import { twoFactorOperations } from '../account/two-factor.ts'
import { verifyOperations } from '../account/verify.ts'
import { apiDocumentOperations } from '../api-document/api-document.ts'
import { auditOperations } from '../audit/audit.ts'
import { callOperations } from '../calls/calls.ts'
import { timelineOperations } from '../calls/timeline.ts'
import { usageOperations } from '../calls/usage.ts'
import { usageSummaryOperations } from '../calls/usage-summary.ts'
import { captureControlOperations } from '../captures/capture-control.ts'
import { inspectOperations } from '../captures/inspect-operations.ts'
import { channelBatchOperations } from '../channels/channel-batch.ts'
import { channelCatalogueOperations } from '../channels/channel-catalogue.ts'
import { channelListOperations } from '../channels/channel-list.ts'
import { channelModelOperations } from '../channels/channel-models.ts'
import { channelMultiKeyOperations } from '../channels/channel-multi-key.ts'
import { channelPresetOperations } from '../channels/channel-presets.ts'
import { channelTagOperations } from '../channels/channel-tags.ts'
import { channelOperations } from '../channels/channels.ts'
import { channelCheckOperations } from '../channels/check/channel-check.ts'
import { channelBalanceOperations } from '../channels/maintenance/channel-balance.ts'
import { channelHealthOperations } from '../channels/maintenance/channel-health.ts'
import { channelMaintenanceOperations } from '../channels/maintenance/channel-maintenance.ts'
import { channelRecentOperations } from '../channels/maintenance/channel-recent.ts'
import { channelTestOperations } from '../channels/maintenance/channel-test.ts'
import { channelTestRoundOperations } from '../channels/maintenance/channel-test-round.ts'
import { connectOperations } from '../connect/connect-operations.ts'
import { undoOperations } from '../connect/undo-operations.ts'
import { desktopOperations } from '../desktop/operations.ts'
import { diagnosticsOperations } from '../diagnostics/operations.ts'
import { keychainOperations } from '../keychain/operations.ts'
import { optionOperations } from '../options/options.ts'
import { paymentOperations } from '../payment/payment-operations.ts'
import { playgroundOperations } from '../playground/playground.ts'
import { groupOperations } from '../prices/groups.ts'
import { priceOperations } from '../prices/prices.ts'
import { pricingOperations } from '../prices/pricing.ts'
import { ratioOperations } from '../prices/ratios.ts'
import { replayOperations } from '../replay/replay.ts'
import { routeOperations } from '../routes/routes.ts'
import { serverOperations } from '../server/server.ts'
import { setupOperations } from '../server/setup.ts'
import { statusOperations } from '../server/status.ts'
import { agentSessionOperations } from '../sessions/agent-sessions.ts'
import { tokenOperations } from '../tokens/tokens.ts'
import { backupOperations } from '../transfer/backup/operations.ts'
import { foundOperations } from '../transfer/found.ts'
import { transferOperations } from '../transfer/operations.ts'
import { registerOperations } from '../users/register.ts'
import { twoFactorAdminOperations } from '../users/two-factor-admin.ts'
import { userManageOperations } from '../users/user-manage.ts'
import { userUpdateOperations } from '../users/user-update.ts'
import { userOperations } from '../users/users.ts'

const all = [
  ...setupOperations,
  ...statusOperations,
  ...loginOperations,
  ...accountOperations,
  ...ownSettingOperations,
  ...sessionOperations,
  ...twoFactorOperations,
  ...verifyOperations,
  ...registerOperations,
  ...userOperations,
  ...userUpdateOperations,
  ...userManageOperations,
  ...twoFactorAdminOperations,
  ...channelListOperations,
  ...channelOperations,
  ...channelTestOperations,
  ...channelCheckOperations,
  ...channelModelOperations,
  ...channelPresetOperations,
  ...channelMaintenanceOperations,
  ...channelTestRoundOperations,
  ...channelTagOperations,
  ...channelMultiKeyOperations,
  ...channelCatalogueOperations,
  ...channelBatchOperations,
  ...channelBalanceOperations,
  ...channelHealthOperations,
  ...channelRecentOperations,
  ...tokenOperations,
  ...auditOperations,
  ...callOperations,
  ...captureControlOperations,
  ...timelineOperations,
  ...inspectOperations,
  ...replayOperations,
  ...agentSessionOperations,
  ...usageOperations,
  ...usageSummaryOperations,
  ...routeOperations,
  ...optionOperations,
  ...paymentOperations,
  ...playgroundOperations,
  ...priceOperations,
  ...pricingOperations,
  ...ratioOperations,
  ...groupOperations,
  ...serverOperations,
  ...diagnosticsOperations,
  ...desktopOperations,
  ...keychainOperations,
  ...connectOperations,
  ...undoOperations,
  ...foundOperations,
  ...transferOperations,
  ...backupOperations,
  ...apiDocumentOperations,
] as const

type ByName = { [Definition in (typeof all)[number] as Definition['name']]: Definition }

/** Every management operation by its name, with its access level, its HTTP path and its schema. */
export const operations = Object.fromEntries(all.map((one) => [one.name, one])) as ByName
