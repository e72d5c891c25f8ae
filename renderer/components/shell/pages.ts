import {
  IconHome,
  IconKey,
  IconListDetails,
  IconMessage2,
  IconRoute,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react'

export interface PageEntry {
  path: string
  /** Key of its name under `shell` in the dictionary. */
  name: 'overview' | 'playground' | 'channels' | 'tokens' | 'calls' | 'settings'
  icon: TablerIcon
}

/** The pages of the sidebar and the search, in their order. */
export const pages: readonly PageEntry[] = [
  { path: '/', name: 'overview', icon: IconHome },
  { path: '/playground', name: 'playground', icon: IconMessage2 },
  { path: '/calls', name: 'calls', icon: IconListDetails },
  { path: '/channels', name: 'channels', icon: IconRoute },
  { path: '/tokens', name: 'tokens', icon: IconKey },
  { path: '/settings', name: 'settings', icon: IconSettings },
]
