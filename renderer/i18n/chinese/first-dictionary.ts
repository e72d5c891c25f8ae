/** The sections that the shell, the Overview and the login use: all that the first screen loads. */
export { callList } from './calls/call-list.ts'
export { calls, overview } from './calls/calls.ts'
export { fieldReason } from './field-reasons.ts'
export { desktop } from './settings/desktop.ts'
export { keychain } from './settings/keychain.ts'
export { channelHealth, health } from './shell/health.ts'
export { common, login, shell } from './shell/shell.ts'
export { usage } from './usage/usage.ts'
