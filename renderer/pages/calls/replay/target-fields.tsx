import { Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Autocomplete, Select } from '../../../components/forms/option-lists.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { useEvery } from '../../../gateway/use-every.ts'
import { useIsAdministrator } from '../../../gateway/use-role.ts'

interface ReplayTarget {
  channel: string | null
  model: string
}

interface TargetFieldsProps {
  value: ReplayTarget
  /** Shown while no model is chosen. */
  modelHint: string
  onChange: (fields: Partial<ReplayTarget>) => void
  /** Beside each other instead of one below the other. */
  inline?: boolean
}

/** Channel and model of a replay; only administrators choose the channel. */
export function TargetFields({ value, modelHint, onChange, inline }: TargetFieldsProps) {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  const channels = useEvery('channel.list', { enabled: isAdministrator })
  const catalogue = useOperation('playground.catalogue', {})
  const chosen = channels.data?.find(({ id }) => String(id) === value.channel)
  const models = chosen
    ? chosen.models.split(',').filter(Boolean)
    : (catalogue.data ?? []).map(({ id }) => id)
  const Layout = inline ? Group : Stack
  return (
    <Layout gap={8}>
      {isAdministrator && (
        <Select
          label={t('replay.channel')}
          placeholder={t('replay.anyChannel')}
          data={(channels.data ?? []).map(({ id, name, status }) => ({
            value: String(id),
            label: name,
            disabled: status !== 1,
          }))}
          clearable
          clearButtonProps={{ 'aria-label': t('replay.clearChannel') }}
          searchable
          value={value.channel}
          onChange={(channel) => onChange({ channel })}
        />
      )}
      <Autocomplete
        size="xs"
        label={t('replay.model')}
        placeholder={modelHint}
        data={[...new Set(models)]}
        limit={50}
        value={value.model}
        onChange={(model) => onChange({ model })}
      />
    </Layout>
  )
}
