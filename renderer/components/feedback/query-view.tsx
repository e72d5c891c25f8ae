import { Button, Group, Text } from '@mantine/core'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallFailure } from '../../gateway/call-failure.ts'
import { Busy } from './busy.tsx'
import { FailureNote } from './failure-note.tsx'

interface QueryViewProps<Data> {
  query: UseQueryResult<Data, CallFailure>
  /** "Loading channels…" */
  verb: string
  children: (data: Data) => ReactNode
}

/** Shows a query's data, or its loading, stopped or failed state. */
export function QueryView<Data>({ query, verb, children }: QueryViewProps<Data>) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const again = () => void query.refetch()

  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <FailureNote failure={query.error} onRetry={again} />}
        {children(query.data as Data)}
      </>
    )
  }
  if (query.isError) return <FailureNote failure={query.error} onRetry={again} />
  if (query.fetchStatus === 'fetching') {
    const cancel = () =>
      void queryClient.cancelQueries({ predicate: (entry) => entry.state.data === undefined })
    return <Busy label={verb} onCancel={cancel} />
  }
  return (
    <Group gap="xs" role="status">
      <Text c="dimmed">{t('common.stopped')}</Text>
      <Button variant="default" size="compact-xs" onClick={again}>
        {t('common.loadAgain')}
      </Button>
    </Group>
  )
}
