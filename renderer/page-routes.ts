import { type LazyCode, lazyCode } from './components/lazy/lazy-code.ts'

/** Each page is a file of its own, loaded when it’s first shown. */
export const loginPage = lazyCode(
  async () => {
    // It has a form already.
    await import('./further-styles.ts')
    return (await import('./pages/login/login-page.tsx')).LoginPage
  },
  { isFirst: true },
)
export const welcomePage = lazyCode(
  async () => (await import('./pages/welcome/welcome-page.tsx')).WelcomePage,
)

interface PageRoute {
  /** Below `/console`. */
  path: string
  page: LazyCode<{ params: { section?: string | undefined; id?: string | undefined } }>
}

/** The pages after sign-in; the first whose path matches is shown. */
export const pageRoutes: readonly PageRoute[] = [
  {
    path: '/',
    page: lazyCode(async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage, {
      isFirst: true,
    }),
  },
  {
    path: '/playground',
    page: lazyCode(
      async () => (await import('./pages/playground/playground-page.tsx')).PlaygroundPage,
    ),
  },
  {
    path: '/channels',
    page: lazyCode(async () => (await import('./pages/channels/channels-page.tsx')).ChannelsPage),
  },
  {
    path: '/routes',
    page: lazyCode(async () => (await import('./pages/routes/routes-page.tsx')).RoutesPage),
  },
  {
    path: '/connect/:section?',
    page: lazyCode(async () => (await import('./pages/connect/connect-page.tsx')).ConnectPage),
  },
  {
    path: '/calls',
    page: lazyCode(async () => (await import('./pages/calls/calls-page.tsx')).CallsPage),
  },
  {
    path: '/calls/replay',
    page: lazyCode(
      async () => (await import('./pages/calls/replay/failures-page.tsx')).FailuresPage,
    ),
  },
  {
    path: '/calls/replay/:id',
    page: lazyCode(async () => (await import('./pages/calls/replay/replay-page.tsx')).ReplayPage),
  },
  {
    path: '/calls/sessions',
    page: lazyCode(async () => (await import('./pages/sessions/sessions-page.tsx')).SessionsPage),
  },
  {
    path: '/usage/:section?',
    page: lazyCode(async () => (await import('./pages/usage/usage-sections.tsx')).UsageSections),
  },
  {
    path: '/redeem',
    page: lazyCode(async () => (await import('./pages/redeem/redeem-page.tsx')).RedeemPage),
  },
  {
    path: '/codes',
    page: lazyCode(async () => (await import('./pages/redeem/codes/codes-page.tsx')).CodesPage),
  },
  {
    path: '/groups',
    page: lazyCode(
      async () => (await import('./pages/settings/groups/groups-page.tsx')).GroupsPage,
    ),
  },
  {
    path: '/payments',
    page: lazyCode(async () => (await import('./pages/payments/payments-page.tsx')).PaymentsPage),
  },
  {
    path: '/users',
    page: lazyCode(async () => (await import('./pages/users/users-page.tsx')).UsersPage),
  },
  {
    path: '/health',
    page: lazyCode(async () => (await import('./pages/health/health-page.tsx')).HealthPage),
  },
  {
    path: '/api-reference',
    page: lazyCode(
      async () => (await import('./pages/api-reference/api-reference-page.tsx')).ApiReferencePage,
    ),
  },
  {
    path: '/settings/:section?',
    page: lazyCode(async () => (await import('./pages/settings/settings-page.tsx')).SettingsPage),
  },
]
