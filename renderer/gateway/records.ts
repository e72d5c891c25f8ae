import type { OperationInput, OperationOutput } from '../../preload/contract.ts'

export type ChannelRecord = OperationOutput<'channel.get'>
export type ChannelCheck = OperationOutput<'channel.check'>
/** A key that was found on the gateway's machine. */
export type FoundKey = OperationOutput<'transfer.found'>['found'][number]
export type ChannelPreset = OperationOutput<'channel.presets'>[number]
export type TokenRecord = OperationOutput<'token.get'>
export type RouteRecord = OperationOutput<'route.list'>[number]
export type UsageSummary = OperationOutput<'usage.summary'>
export type UserRecord = OperationOutput<'user.get'>
export type RedemptionRecord = OperationOutput<'redemption.get'>
export type OrderRecord = OperationOutput<'topup.list'>['items'][number]
export type CallRecord = OperationOutput<'call.list'>['items'][number]
/** A row of the Calls list: a call, one under way or a refused request. */
export type TimelineRow = OperationOutput<'call.timeline'>['rows'][number]
export type ServerFacts = OperationOutput<'server.get'>
export type CatalogueEntry = OperationOutput<'playground.catalogue'>[number]
export type ChannelHealth = OperationOutput<'channel.health'>[number]
export type GatewayHealth = OperationOutput<'diagnostics.health'>
export type AgentSession = OperationOutput<'agent-session.list'>['sessions'][number]
export type SessionCall = OperationOutput<'agent-session.get'>['calls'][number]
export type SessionPart = NonNullable<SessionCall['input']>[number]
export type Diagnosis = OperationOutput<'agent-session.doctor'>
/** A tool of the Connect page. */
export type ConnectTool = OperationOutput<'connect.tools'>['tools'][number]
export type ToolModel = OperationOutput<'connect.models'>['models'][number]
/** By slot; one that is left out uses the main model. */
export type ChosenModels = OperationInput<'connect.preview'>['models']
export type UndoneTool = OperationOutput<'connect.undo'>
export type CacheFinding = Diagnosis['findings'][number]
