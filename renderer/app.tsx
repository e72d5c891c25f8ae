import { Center } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useContext, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { MissingPage, RefusedPage } from './components/feedback/dead-ends.tsx'
import { QueryView } from './components/feedback/query-view.tsx'
import { LazyPart } from './components/lazy/lazy-part.tsx'
import { UnsavedForms } from './components/leaving/use-unsaved.ts'
import { pages } from './components/shell/pages.ts'
import { Shell } from './components/shell/shell.tsx'
import type { CallFailure } from './gateway/call-failure.ts'
import { useOperation } from './gateway/queries.ts'
import { roles, useRole } from './gateway/use-role.ts'
import { useShownAccount } from './gateway/use-shown-account.ts'
import { loginPage, pageRoutes, welcomePage } from './page-routes.ts'

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
  const forms = useContext(UnsavedForms)
  // An account that was here has a session that ended by itself.
  const keepsEdits = self.data !== undefined && [...forms].some(({ isKept }) => !isKept)
  const account = useShownAccount(self.data?.id)
  const login = <LazyPart code={loginPage} props={{ endedOf: self.data?.username, keepsEdits }} />

  if (setup.data && !isSetUp) return <LazyPart code={welcomePage} props={{}} />
  if (wasSignedOut.current && !keepsEdits) return login
  if (self.data) {
    if (account !== self.data.id) return null
    return (
      <>
        <Pages key={account} />
        {wasSignedOut.current && login}
      </>
    )
  }
  const awaited: UseQueryResult<unknown, CallFailure> = isSetUp ? self : setup
  return (
    <Center h="100dvh" p="md">
      <QueryView query={awaited} verb={t('shell.connecting')}>
        {() => null}
      </QueryView>
    </Center>
  )
}

function Pages() {
  const { t } = useTranslation()
  const role = useRole()
  const refused = pages.filter(
    ({ leastRole = 0, path }) => role < leastRole && pageRoutes.some((one) => one.path === path),
  )
  return (
    <Switch>
      <Route path="/welcome">
        <LazyPart code={welcomePage} props={{}} />
      </Route>
      <Route>
        <Shell>
          <Switch>
            <Route path="/settings/groups">
              <Moved to="/groups" />
            </Route>
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
            {refused.map(({ path, name, leastRole }) => (
              <Route key={path} path={path}>
                <RefusedPage title={t(`shell.${name}`)} isOwners={leastRole === roles.owner} />
              </Route>
            ))}
            {pageRoutes.map(({ path, page }) => (
              <Route key={path} path={path}>
                {(params) => <LazyPart code={page} props={{ params }} />}
              </Route>
            ))}
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
