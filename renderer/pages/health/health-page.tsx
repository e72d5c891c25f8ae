import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { GatewayFigures } from '../../components/gateway-health/gateway-figures.tsx'
import { Details } from '../../components/layout/details.tsx'
import { Page } from '../../components/layout/page.tsx'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { MaintenanceNote } from '../channels/maintenance/maintenance-note.tsx'
import { useMaintenance } from '../channels/maintenance/use-maintenance.ts'
import { BundleButton } from './bundle-button.tsx'
import { ChannelHealthTable } from './channel-health-table.tsx'
import { GatewayState } from './gateway-state.tsx'

const interval = 10_000

/** Problems first, in words; the figures of the process and of circuits when asked for. */
export function HealthPage() {
  const { t } = useTranslation()
  const isOwner = useRole() >= roles.owner
  const [hasDetails, setDetails] = useState(false)
  const maintenance = useMaintenance()
  const query = useOperation('diagnostics.health', {}, { refetchInterval: interval })
  useRefreshOn('server', [['diagnostics.health']])
  return (
    <Page
      title={t('health.title')}
      hint={t('health.hint')}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconPlugConnected size={14} />}
            disabled={maintenance.busyLabel !== null}
            onClick={() => void maintenance.testAll()}
          >
            {t('health.testAll')}
          </Button>
          {isOwner && <BundleButton />}
        </>
      }
    >
      <MaintenanceNote maintenance={maintenance} />
      <QueryView query={query} verb={t('health.loading')}>
        {(health) => <GatewayState health={health} />}
      </QueryView>
      <ChannelHealthTable hasDetails={hasDetails} />
      {query.data && (
        <Details
          title={t('health.details')}
          isOpen={hasDetails}
          onToggle={() => setDetails(!hasDetails)}
        >
          <GatewayFigures health={query.data} />
        </Details>
      )}
    </Page>
  )
}
