import { Text, TextInput } from '@mantine/core'
import { IconFileSearch, IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Details } from '../../components/layout/details.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { type ApiOperation, matchesWords, operationsOf } from './api-operations.ts'
import styles from './api-reference.module.css'
import { OperationEntry } from './operation-entry.tsx'
import { RawDocument } from './raw-document.tsx'
import { AllStatuses, meaningsOf } from './status-codes.tsx'
import { useApiWords } from './use-api-words.ts'

export function ApiReferencePage() {
  const { t } = useTranslation()
  const query = useOperation('api.document', {})
  const server = useOperation('server.get', {})
  const baseUrl = server.data?.url ?? ''
  return (
    <Page
      title={t('apiReference.title')}
      hint={t('apiReference.hint')}
      actions={<RawDocument baseUrl={baseUrl} />}
    >
      <QueryView query={query} verb={t('apiReference.loading')}>
        {(document) => <Operations document={document} baseUrl={baseUrl} />}
      </QueryView>
    </Page>
  )
}

function byTag(operations: readonly ApiOperation[]): [string, ApiOperation[]][] {
  const groups = new Map<string, ApiOperation[]>()
  for (const operation of operations) {
    const group = groups.get(operation.tag)
    if (group) group.push(operation)
    else groups.set(operation.tag, [operation])
  }
  return [...groups]
}

function Operations({ document, baseUrl }: { document: Record<string, unknown>; baseUrl: string }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [openName, setOpenName] = useState('')
  const { operationsIn, area } = useApiWords()
  const operations = operationsIn(useMemo(() => operationsOf(document), [document]))
  const meanings = useMemo(() => meaningsOf(operations), [operations])
  const [showsStatuses, setShowsStatuses] = useState(false)
  const found = useMemo(
    () => operations.filter((operation) => matchesWords(operation, typed)),
    [operations, typed],
  )
  return (
    <>
      <TextInput
        w={320}
        maw="100%"
        leftSection={<IconSearch size={14} />}
        placeholder={t('apiReference.filter')}
        aria-label={t('apiReference.filter')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Text c="dimmed" role="status">
        {t('apiReference.found', { count: found.length })}
      </Text>
      <Details
        title={t('apiReference.statuses')}
        isOpen={showsStatuses}
        onToggle={() => setShowsStatuses(!showsStatuses)}
      >
        <AllStatuses meanings={meanings} />
      </Details>
      {found.length === 0 && (
        <Empty
          icon={<IconFileSearch size={20} />}
          title={t('apiReference.nothing')}
          hint={t('apiReference.nothingHint')}
        />
      )}
      {byTag(found).map(([tag, list]) => (
        <Panel key={tag} title={tag === 'models' ? t('apiReference.modelCalls') : area(tag)} flush>
          <ul className={styles.operations}>
            {list.map((operation) => (
              <OperationEntry
                key={`${operation.method} ${operation.path}`}
                operation={operation}
                document={document}
                baseUrl={baseUrl}
                meanings={meanings}
                isOpen={openName === operation.name}
                onToggle={() => setOpenName(openName === operation.name ? '' : operation.name)}
              />
            ))}
          </ul>
        </Panel>
      ))}
    </>
  )
}
