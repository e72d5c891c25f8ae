import { useMemo } from 'react'
import { useEvery } from '../../gateway/use-every.ts'

const enabled = 1

/** Lists of the API's texts: "a,b". */
const listed = (text: string) => text.split(',').filter((item) => item !== '')

export interface RouteChoices {
  channels: readonly { id: number; name: string; isEnabled: boolean }[]
  tags: readonly string[]
  /** Models of a channel; of all enabled ones for null. */
  modelsOf: (channelId: number | null) => readonly string[]
  /** The number of a channel that isn't known. */
  nameOf: (channelId: number) => string
}

/** What the targets of a route may be. No routes are among the models. */
export function useRouteChoices(): RouteChoices {
  const { data } = useEvery('channel.list')
  return useMemo(() => {
    const all = data ?? []
    const offered = (channels: typeof all) => [
      ...new Set(channels.flatMap(({ models }) => listed(models))),
    ]
    const everywhere = offered(all.filter(({ status }) => status === enabled))
    return {
      channels: all.map(({ id, name, status }) => ({ id, name, isEnabled: status === enabled })),
      tags: [...new Set(all.flatMap(({ tag }) => tag || []))],
      modelsOf: (channelId) =>
        channelId === null ? everywhere : offered(all.filter(({ id }) => id === channelId)),
      nameOf: (channelId) => all.find(({ id }) => id === channelId)?.name ?? `#${channelId}`,
    }
  }, [data])
}
