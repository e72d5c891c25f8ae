import {
  IconApi,
  IconArrowsSplit2,
  IconChartBar,
  IconGift,
  IconHeartbeat,
  IconHome,
  IconKey,
  IconListDetails,
  IconMessage2,
  IconMessages,
  IconPlug,
  IconReceipt,
  IconRoute,
  IconSettings,
  IconTag,
  IconTicket,
  IconUsers,
  IconUsersGroup,
  type TablerIcon,
} from '@tabler/icons-react'
import { roles } from '../../gateway/use-role.ts'

export interface PageEntry {
  path: string
  /** Key under `shell` in the dictionary. */
  name:
    | 'overview'
    | 'playground'
    | 'calls'
    | 'channels'
    | 'routes'
    | 'connect'
    | 'usage'
    | 'redeem'
    | 'users'
    | 'codes'
    | 'payments'
    | 'groups'
    | 'settings'
    | 'sessions'
    | 'tokens'
    | 'prices'
    | 'health'
    | 'apiReference'
  icon: TablerIcon
  /** Hidden below this role; absent for everybody. */
  leastRole?: number
  /** Only where the gateway serves more people than its owner. */
  isForSharing?: true
  /** Not in the sidebar: another page leads there, and so does the search. */
  isInside?: true
}

/** In the order of the sidebar. */
export const pages: readonly PageEntry[] = [
  { path: '/', name: 'overview', icon: IconHome },
  { path: '/playground', name: 'playground', icon: IconMessage2 },
  { path: '/calls', name: 'calls', icon: IconListDetails },
  { path: '/channels', name: 'channels', icon: IconRoute, leastRole: roles.administrator },
  { path: '/routes', name: 'routes', icon: IconArrowsSplit2, leastRole: roles.administrator },
  { path: '/connect', name: 'connect', icon: IconPlug },
  { path: '/usage', name: 'usage', icon: IconChartBar },
  { path: '/redeem', name: 'redeem', icon: IconGift },
  {
    path: '/users',
    name: 'users',
    icon: IconUsers,
    leastRole: roles.administrator,
    isForSharing: true,
  },
  {
    path: '/codes',
    name: 'codes',
    icon: IconTicket,
    leastRole: roles.administrator,
    isForSharing: true,
  },
  { path: '/payments', name: 'payments', icon: IconReceipt, isForSharing: true },
  {
    path: '/groups',
    name: 'groups',
    icon: IconUsersGroup,
    leastRole: roles.owner,
    isForSharing: true,
  },
  { path: '/settings', name: 'settings', icon: IconSettings },
  { path: '/calls/sessions', name: 'sessions', icon: IconMessages, isInside: true },
  { path: '/connect/tokens', name: 'tokens', icon: IconKey, isInside: true },
  {
    path: '/usage/prices',
    name: 'prices',
    icon: IconTag,
    leastRole: roles.administrator,
    isInside: true,
  },
  {
    path: '/health',
    name: 'health',
    icon: IconHeartbeat,
    leastRole: roles.administrator,
    isInside: true,
  },
  { path: '/api-reference', name: 'apiReference', icon: IconApi, isInside: true },
]
