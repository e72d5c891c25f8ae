export { callList, callPanel, callQuery } from './calls/call-list.ts'
export { callRoute } from './calls/call-route.ts'
export { calls, counted, overview } from './calls/calls.ts'
export { captures, inspector } from './calls/inspector.ts'
export { replay } from './calls/replay.ts'
export { sessions } from './calls/sessions.ts'
export {
  channelBulk,
  channelCheck,
  channelForm,
  channelKeys,
  channelMaintenance,
  channels,
  channelTags,
} from './channels/channels.ts'
export { foundKeys } from './channels/found-keys.ts'
export { selection } from './channels/selection.ts'
export { connectTools } from './connect/connect.ts'
export { tokens } from './connect/tokens.ts'
export { connect, welcome } from './connect/welcome.ts'
export { fieldReason } from './field-reasons.ts'
export { chat } from './playground/chat.ts'
export { playground } from './playground/playground.ts'
export { capabilities, tasks } from './playground/playground-tasks.ts'
export { desktop } from './settings/desktop.ts'
export { importReport } from './settings/import-report.ts'
export { keychain } from './settings/keychain.ts'
export { options } from './settings/options.ts'
export { security } from './settings/security.ts'
export { settings } from './settings/settings.ts'
export { stepUp } from './settings/step-up.ts'
export { transfer } from './settings/transfer.ts'
export { groups } from './sharing/groups.ts'
export { payments } from './sharing/payments.ts'
export { redeem } from './sharing/redeem.ts'
export { sharing } from './sharing/sharing.ts'
export { users } from './sharing/users.ts'
export { apiReference } from './shell/api-reference.ts'
export { channelHealth, health } from './shell/health.ts'
export { search } from './shell/search.ts'
export { common, login, shell } from './shell/shell.ts'
export { shortcuts } from './shell/shortcuts.ts'
export { prices } from './usage/prices.ts'
export { usage } from './usage/usage.ts'
