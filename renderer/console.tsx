import { MantineProvider } from '@mantine/core'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import { type ReactNode, useMemo, useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { App } from './app.tsx'
import { LeaveGuard } from './components/leaving/leave-guard.tsx'
import { toCallFailure } from './gateway/call-failure.ts'
import type { GatewayClient } from './gateway/client.ts'
import { GatewayProvider } from './gateway/gateway-context.ts'
import { translatedClient } from './gateway/translated-client.ts'
import { resolveVariables, theme } from './theme.ts'

interface ConsoleProps {
  client: GatewayClient
  translation: i18n
  /** `test` turns off transitions. */
  environment?: 'default' | 'test'
  /** A part of it instead of the pages. */
  children?: ReactNode
}

/** Paths start with /console in the browser and in the desktop. */
export function Console({ client, translation, environment = 'default', children }: ConsoleProps) {
  const [queryClient] = useState(createQueryClient)
  const translated = useMemo(() => translatedClient(client, translation), [client, translation])
  return (
    <I18nextProvider i18n={translation}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        env={environment}
      >
        <QueryClientProvider client={queryClient}>
          <GatewayProvider value={translated}>
            <LeaveGuard base="/console">{children ?? <App />}</LeaveGuard>
          </GatewayProvider>
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>
  )
}

function createQueryClient(): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2000,
        // Retries once when the gateway doesn't answer; a refusal is final.
        retry: (count, error) => toCallFailure(error).status === 0 && count < 1,
        retryDelay: 800,
        // A local gateway is reachable without a network.
        networkMode: 'always',
      },
    },
    queryCache: new QueryCache({
      onError: (error, query) => {
        // A session that ended anywhere leads back to the login page.
        const ended = toCallFailure(error).code === 'unauthenticated'
        if (ended && query.queryKey[0] !== 'user.self') {
          void queryClient.invalidateQueries({ queryKey: ['user.self'] })
        }
      },
    }),
  })
  return queryClient
}
