import { useState } from 'react'
import type { RowSelection } from '../../../components/selection/use-row-selection.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import type { ChannelTests } from '../list/use-channel-tests.ts'
import { TagDrawer } from './tag-drawer.tsx'
import { TagPanel } from './tag-panel.tsx'

interface TagPanelsProps {
  /** All channels of the tags on this page. */
  channels: readonly ChannelRecord[]
  selection: RowSelection
  tests: ChannelTests
  onOpen: (id: number) => void
}

export function TagPanels({ channels, selection, tests, onOpen }: TagPanelsProps) {
  const [edited, setEdited] = useState<string | null>(null)
  const tags = [...new Set(channels.map(({ tag }) => tag ?? ''))]
  const ofTag = (tag: string) => channels.filter((channel) => (channel.tag ?? '') === tag)
  return (
    <>
      {tags.map((tag) => (
        <TagPanel
          key={tag}
          tag={tag}
          channels={ofTag(tag)}
          selection={selection}
          tests={tests}
          onOpen={onOpen}
          onEdit={() => setEdited(tag)}
        />
      ))}
      <TagDrawer
        tag={edited}
        channels={edited === null ? [] : ofTag(edited)}
        onClose={() => setEdited(null)}
      />
    </>
  )
}
