import { accountOperations } from './account.ts'
import { callOperations } from './calls.ts'
import { channelListOperations } from './channel-list.ts'
import { channelModelOperations } from './channel-models.ts'
import { channelPresetOperations } from './channel-presets.ts'
import { channelTestOperations } from './channel-test.ts'
import { channelOperations } from './channels.ts'
import { loginOperations } from './login.ts'
import { optionOperations } from './options.ts'
import { playgroundOperations } from './playground.ts'
import { serverOperations } from './server.ts'
import { setupOperations } from './setup.ts'
import { statusOperations } from './status.ts'
import { tokenOperations } from './tokens.ts'
import { usageOperations } from './usage.ts'

const all = [
  ...setupOperations,
  ...statusOperations,
  ...loginOperations,
  ...accountOperations,
  ...channelListOperations,
  ...channelOperations,
  ...channelTestOperations,
  ...channelModelOperations,
  ...channelPresetOperations,
  ...tokenOperations,
  ...callOperations,
  ...usageOperations,
  ...optionOperations,
  ...playgroundOperations,
  ...serverOperations,
] as const

type ByName = { [Definition in (typeof all)[number] as Definition['name']]: Definition }

/** Every management operation by its name, with its access level, its HTTP path and its schema. */
export const operations = Object.fromEntries(all.map((one) => [one.name, one])) as ByName
