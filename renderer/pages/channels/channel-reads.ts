/** The reads that show channels: repeated after whatever changes one. */
export const channelReads = [
  'channel.search',
  'channel.list',
  'channel.get',
  'channel.multi-key',
  'user.models',
] as const
