export { apiReference } from './api-reference.ts'
export { callList, callPanel, callQuery } from './call-list.ts'
export { callRoute } from './call-route.ts'
export { calls, counted, overview } from './calls.ts'
export {
  channelBulk,
  channelCheck,
  channelForm,
  channelKeys,
  channelMaintenance,
  channels,
  channelTags,
} from './channels.ts'
export { chat } from './chat.ts'
export { connectTools } from './connect.ts'
export { desktop } from './desktop.ts'
export { fieldReason } from './field-reasons.ts'
export { foundKeys } from './found-keys.ts'
export { groups } from './groups.ts'
export { channelHealth, health } from './health.ts'
export { importReport } from './import-report.ts'
export { captures, inspector } from './inspector.ts'
export { keychain } from './keychain.ts'
export { options } from './options.ts'
export { payments } from './payments.ts'
export { playground } from './playground.ts'
export { capabilities, tasks } from './playground-tasks.ts'
export { prices } from './prices.ts'
export { redeem } from './redeem.ts'
export { replay } from './replay.ts'
export { security } from './security.ts'
export { selection } from './selection.ts'
export { sessions } from './sessions.ts'
export { settings } from './settings.ts'
export { sharing } from './sharing.ts'
export { common, login, shell } from './shell.ts'
export { stepUp } from './step-up.ts'
export { tokens } from './tokens.ts'
export { transfer } from './transfer.ts'
export { usage } from './usage.ts'
export { users } from './users.ts'
export { connect, welcome } from './welcome.ts'
