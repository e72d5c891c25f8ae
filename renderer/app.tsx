import { Center } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { MissingPage } from './components/feedback/missing-page.tsx'
import { QueryView } from './components/feedback/query-view.tsx'
import { Shell } from './components/shell/shell.tsx'
import { useOperation } from './gateway/queries.ts'
import { ApiReferencePage } from './pages/api-reference/api-reference-page.tsx'
import { CallsPage } from './pages/calls/calls-page.tsx'
import { FailuresPage } from './pages/calls/replay/failures-page.tsx'
import { ReplayPage } from './pages/calls/replay/replay-page.tsx'
import { ChannelsPage } from './pages/channels/channels-page.tsx'
import { ConnectPage } from './pages/connect/connect-page.tsx'
import { HealthPage } from './pages/health/health-page.tsx'
import { LoginPage } from './pages/login/login-page.tsx'
import { OverviewPage } from './pages/overview/overview-page.tsx'
import { PaymentsPage } from './pages/payments/payments-page.tsx'
import { PlaygroundPage } from './pages/playground/playground-page.tsx'
import { CodesPage } from './pages/redeem/codes/codes-page.tsx'
import { RedeemPage } from './pages/redeem/redeem-page.tsx'
import { SessionsPage } from './pages/sessions/sessions-page.tsx'
import { GroupsPage } from './pages/settings/groups/groups-page.tsx'
import { SettingsPage } from './pages/settings/settings-page.tsx'
import { UsageSections } from './pages/usage/usage-sections.tsx'
import { UsersPage } from './pages/users/users-page.tsx'
import { WelcomePage } from './pages/welcome/welcome-page.tsx'

/** Shows the first run, then the login, then the pages. */
export function App() {
  const { t } = useTranslation()
  const setup = useOperation('setup.status', {})
  const isSetUp = setup.data?.status === true
  const self = useOperation('user.self', {}, { enabled: isSetUp })
  // While the account is read again its error is cleared. The login page must stay mounted meanwhile.
  const wasSignedOut = useRef(false)
  if (self.error) wasSignedOut.current = self.error.status === 401
  if (self.isSuccess) wasSignedOut.current = false

  if (setup.data && !isSetUp) return <WelcomePage />
  if (wasSignedOut.current) return <LoginPage />
  if (self.data) return <Pages />
  return (
    <Center h="100dvh" p="md">
      {isSetUp ? (
        <QueryView query={self} verb={t('shell.connecting')}>
          {() => null}
        </QueryView>
      ) : (
        <QueryView query={setup} verb={t('shell.connecting')}>
          {() => null}
        </QueryView>
      )}
    </Center>
  )
}

function Pages() {
  return (
    <Switch>
      <Route path="/welcome" component={WelcomePage} />
      <Route>
        <Shell>
          <Switch>
            <Route path="/" component={OverviewPage} />
            <Route path="/playground" component={PlaygroundPage} />
            <Route path="/channels" component={ChannelsPage} />
            <Route path="/connect/:section?" component={ConnectPage} />
            <Route path="/calls" component={CallsPage} />
            <Route path="/calls/replay" component={FailuresPage} />
            <Route path="/calls/replay/:id" component={ReplayPage} />
            <Route path="/calls/sessions" component={SessionsPage} />
            <Route path="/usage/:section?" component={UsageSections} />
            <Route path="/redeem" component={RedeemPage} />
            <Route path="/codes" component={CodesPage} />
            <Route path="/groups" component={GroupsPage} />
            <Route path="/payments" component={PaymentsPage} />
            <Route path="/users" component={UsersPage} />
            <Route path="/health" component={HealthPage} />
            <Route path="/api-reference" component={ApiReferencePage} />
            <Route path="/settings/groups">
              <Moved to="/groups" />
            </Route>
            <Route path="/settings/:section?" component={SettingsPage} />
            <Route path="/login">
              <Redirect to="/" replace />
            </Route>
            <Route path="/tokens">
              <Moved to="/connect/tokens" />
            </Route>
            <Route path="/prices">
              <Moved to="/usage/prices" />
            </Route>
            <Route path="/overview">
              <Redirect to="/" replace />
            </Route>
            <Route component={MissingPage} />
          </Switch>
        </Shell>
      </Route>
    </Switch>
  )
}

/** An old path; its search parameters go along. */
function Moved({ to }: { to: string }) {
  const search = useSearch()
  return <Redirect to={`${to}${search && `?${search}`}`} replace />
}
