/** The reads that show channels: repeated after whatever changes one. */
export const channelReads = [
  'channel.search',
  'channel.list',
  'channel.get',
  'channel.multi-key',
  'channel.health',
  'user.models',
] as const
