import type { ChannelTarget, UpstreamCall } from '../../../main/adaptor/adaptor.ts'
import { adaptorOf } from '../../../main/adaptor/adaptors.ts'

/** A channel of a type, with a key and all else at its default. */
export const channelOf = (type: number, fields: Partial<ChannelTarget> = {}): ChannelTarget => ({
  id: 1,
  type,
  baseUrl: '',
  key: 'secret',
  other: '',
  openaiOrganization: null,
  settings: {},
  preset: null,
  ...fields,
})

export const callOf = (fields: Partial<UpstreamCall> = {}): UpstreamCall => ({
  format: 'chat',
  verb: 'generate',
  model: 'm',
  stream: false,
  altSse: true,
  query: '',
  ...fields,
})

/** The channel's adaptor; a type without one is the test's own mistake. */
export function adaptorFor(channel: ChannelTarget) {
  const adaptor = adaptorOf(channel.type)
  if (!adaptor) throw new Error(`no adaptor for type ${channel.type}`)
  return adaptor
}

export const targetFor = (channel: ChannelTarget, call: Partial<UpstreamCall> = {}) =>
  adaptorFor(channel).target(channel, callOf(call))

export const urlFor = (channel: ChannelTarget, call: Partial<UpstreamCall> = {}): string =>
  targetFor(channel, call).url
