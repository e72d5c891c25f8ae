import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { FormDrawer } from '../../../components/leaving/form-drawer.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { RouteForm } from './route-form.tsx'

interface RouteDrawerProps {
  opened: boolean
  /** Null for a new route. */
  routeId: number | null
  onClose: () => void
}

export function RouteDrawer({ opened, routeId, onClose }: RouteDrawerProps) {
  const { t } = useTranslation()
  const isStored = routeId !== null
  const routes = useOperation('route.list', {}, { enabled: isStored })
  const routeOf = (id: number | null) => routes.data?.find((route) => route.id === id)
  const title = isStored
    ? t('routes.editTitle', { name: routeOf(routeId)?.name ?? `#${routeId}` })
    : t('routes.create')
  return (
    <FormDrawer opened={opened} onClose={onClose} size={560} title={title}>
      {isStored ? (
        <QueryView query={routes} verb={t('routes.loading')}>
          {() => {
            const stored = routeOf(routeId)
            return stored ? (
              <RouteForm key={stored.id} stored={stored} onSaved={onClose} />
            ) : (
              <Text c="dimmed">{t('routes.gone')}</Text>
            )
          }}
        </QueryView>
      ) : (
        opened && <RouteForm onSaved={onClose} />
      )}
    </FormDrawer>
  )
}
