import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { FoundKeys } from '../../channels/found/found-keys.tsx'
import { BackupPanel } from './backup-panel.tsx'
import { ExportPanel } from './export-panel.tsx'
import { ImportPanel } from './import-panel.tsx'
import { LinkDialog } from './link-dialog.tsx'

function FoundPanel() {
  const { t } = useTranslation()
  const search = useOperation('transfer.found', {})
  return (
    <Panel title={t('foundKeys.title')} hint={t('foundKeys.hint')}>
      <QueryView query={search} verb={t('foundKeys.searching')}>
        {({ found }) =>
          found.length === 0 ? (
            <Text c="dimmed">{t('foundKeys.none')}</Text>
          ) : (
            <FoundKeys found={found} />
          )
        }
      </QueryView>
    </Panel>
  )
}

export function TransferSettings() {
  return (
    <>
      <LinkDialog />
      <FoundPanel />
      <ImportPanel />
      <ExportPanel />
      <BackupPanel />
    </>
  )
}
