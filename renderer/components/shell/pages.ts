import {
  IconApi,
  IconChartBar,
  IconGift,
  IconHeartbeat,
  IconHome,
  IconListDetails,
  IconMessage2,
  IconPlug,
  IconReceipt,
  IconRoute,
  IconSettings,
  IconTag,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { roles } from '../../gateway/use-role.ts'

export interface PageEntry {
  path: string
  /** Key under `shell` in the dictionary. */
  name:
    | 'overview'
    | 'playground'
    | 'channels'
    | 'connect'
    | 'calls'
    | 'usage'
    | 'prices'
    | 'redeem'
    | 'payments'
    | 'users'
    | 'health'
    | 'apiReference'
    | 'settings'
  icon: TablerIcon
  /** Hidden below this role; absent for everybody. */
  leastRole?: number
}

/** In the order of the sidebar. */
export const pages: readonly PageEntry[] = [
  { path: '/', name: 'overview', icon: IconHome },
  { path: '/playground', name: 'playground', icon: IconMessage2 },
  { path: '/calls', name: 'calls', icon: IconListDetails },
  { path: '/channels', name: 'channels', icon: IconRoute, leastRole: roles.administrator },
  { path: '/connect', name: 'connect', icon: IconPlug },
  { path: '/usage', name: 'usage', icon: IconChartBar },
  { path: '/prices', name: 'prices', icon: IconTag, leastRole: roles.administrator },
  { path: '/redeem', name: 'redeem', icon: IconGift },
  { path: '/payments', name: 'payments', icon: IconReceipt },
  { path: '/users', name: 'users', icon: IconUsers, leastRole: roles.administrator },
  { path: '/health', name: 'health', icon: IconHeartbeat, leastRole: roles.administrator },
  { path: '/api-reference', name: 'apiReference', icon: IconApi },
  { path: '/settings', name: 'settings', icon: IconSettings },
]
