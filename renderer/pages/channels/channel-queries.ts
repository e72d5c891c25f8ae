/** Reads to repeat after a change to any channel. */
export const channelQueries = [
  'channel.search',
  'channel.list',
  'channel.get',
  'channel.multi-key',
  'channel.health',
  'user.models',
] as const
