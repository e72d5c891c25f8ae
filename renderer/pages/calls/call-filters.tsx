import { Button, Group, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { eventTypes } from './call-facts.ts'

export interface CallFilterDraft {
  model: string
  token: string
  requestId: string
  channel: string | null
  type: string | null
  /** Seconds back from now. */
  since: string | null
}

export const noFilters: CallFilterDraft = {
  model: '',
  token: '',
  requestId: '',
  channel: null,
  type: null,
  since: null,
}

interface CallFiltersProps {
  draft: CallFilterDraft
  onChange: (draft: CallFilterDraft) => void
}

export function CallFilters({ draft, onChange }: CallFiltersProps) {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  const channels = useOperation(
    'channel.list',
    { p: 1, page_size: 100 },
    { enabled: isAdministrator },
  )
  const set = (fields: Partial<CallFilterDraft>) => onChange({ ...draft, ...fields })
  const textField = (field: 'model' | 'token' | 'requestId', label: string, width: number) => (
    <TextInput
      w={width}
      placeholder={label}
      aria-label={label}
      value={draft[field]}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
    />
  )
  const choice = (
    field: 'channel' | 'type' | 'since',
    label: string,
    any: string,
    data: { value: string; label: string }[],
  ) => (
    <Select
      w={150}
      placeholder={any}
      aria-label={label}
      data={data}
      clearable
      value={draft[field]}
      onChange={(value) => set({ [field]: value })}
    />
  )

  return (
    <Group gap={8} role="search" aria-label={t('calls.filters')}>
      {textField('model', t('calls.filterModel'), 180)}
      {textField('token', t('calls.filterToken'), 130)}
      {isAdministrator &&
        choice(
          'channel',
          t('calls.channel'),
          t('calls.anyChannel'),
          (channels.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        )}
      {choice('type', t('calls.type'), t('calls.typeAny'), [
        { value: '2', label: t('calls.typeOk') },
        { value: '5', label: t('calls.typeError') },
        ...eventTypes.map((type) => ({ value: String(type), label: t(`calls.event_${type}`) })),
      ])}
      {choice('since', t('calls.since'), t('calls.sinceAny'), [
        { value: '3600', label: t('calls.sinceHour') },
        { value: '86400', label: t('calls.sinceDay') },
        { value: '604800', label: t('calls.sinceWeek') },
      ])}
      {textField('requestId', t('calls.requestId'), 256)}
      {draft !== noFilters && (
        <Button variant="subtle" color="gray" onClick={() => onChange(noFilters)}>
          {t('calls.clearFilters')}
        </Button>
      )}
    </Group>
  )
}
