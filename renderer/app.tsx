import { Center } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { MissingPage } from './components/feedback/missing-page.tsx'
import { QueryView } from './components/feedback/query-view.tsx'
import { LazyPart } from './components/lazy/lazy-part.tsx'
import { Shell } from './components/shell/shell.tsx'
import { useOperation } from './gateway/queries.ts'
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

  if (setup.data && !isSetUp) return <LazyPart code={welcomePage} props={{}} />
  if (wasSignedOut.current) return <LazyPart code={loginPage} props={{}} />
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
