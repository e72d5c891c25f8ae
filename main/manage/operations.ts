import { ownSettingOperations } from './account/own-setting.ts'
import { registerOperations } from './account/register.ts'
import { sessionOperations } from './account/sessions.ts'
import { twoFactorOperations } from './account/two-factor.ts'
import { twoFactorAdminOperations } from './account/two-factor-admin.ts'
import { userManageOperations } from './account/user-manage.ts'
import { userUpdateOperations } from './account/user-update.ts'
import { userOperations } from './account/users.ts'
import { verifyOperations } from './account/verify.ts'
import { accountOperations } from './account.ts'
import { apiDocumentOperations } from './api-document.ts'
import { callOperations } from './calls.ts'
import { channelBalanceOperations } from './channel-balance.ts'
import { channelBatchOperations } from './channel-batch.ts'
import { channelCatalogueOperations } from './channel-catalogue.ts'
import { channelHealthOperations } from './channel-health.ts'
import { channelListOperations } from './channel-list.ts'
import { channelModelOperations } from './channel-models.ts'
import { channelMultiKeyOperations } from './channel-multi-key.ts'
import { channelPresetOperations } from './channel-presets.ts'
import { channelTagOperations } from './channel-tags.ts'
import { channelTestOperations } from './channel-test.ts'
import { channelTestRoundOperations } from './channel-test-round.ts'
import { channelUpkeepOperations } from './channel-upkeep.ts'
import { channelOperations } from './channels.ts'
import { desktopOperations } from './desktop/operations.ts'
import { diagnosticsOperations } from './diagnostics/operations.ts'
import { keychainOperations } from './keychain/operations.ts'
import { loginOperations } from './login.ts'
import { optionOperations } from './options.ts'
import { paymentOperations } from './payment/payment-operations.ts'
import { playgroundOperations } from './playground.ts'
import { groupOperations } from './prices/groups.ts'
import { priceOperations } from './prices/prices.ts'
import { pricingOperations } from './prices/pricing.ts'
import { ratioOperations } from './prices/ratios.ts'
import { serverOperations } from './server.ts'
import { setupOperations } from './setup.ts'
import { statusOperations } from './status.ts'
import { tokenOperations } from './tokens.ts'
import { usageOperations } from './usage.ts'
import { usageSummaryOperations } from './usage-summary.ts'

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
  ...channelModelOperations,
  ...channelPresetOperations,
  ...channelUpkeepOperations,
  ...channelTestRoundOperations,
  ...channelTagOperations,
  ...channelMultiKeyOperations,
  ...channelCatalogueOperations,
  ...channelBatchOperations,
  ...channelBalanceOperations,
  ...channelHealthOperations,
  ...tokenOperations,
  ...callOperations,
  ...usageOperations,
  ...usageSummaryOperations,
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
  ...apiDocumentOperations,
] as const

type ByName = { [Definition in (typeof all)[number] as Definition['name']]: Definition }

/** Every management operation by its name, with its access level, its HTTP path and its schema. */
export const operations = Object.fromEntries(all.map((one) => [one.name, one])) as ByName
