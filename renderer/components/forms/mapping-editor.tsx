import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconArrowRight, IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { focusBeside } from './focus-beside.ts'

interface MappingEntry {
  from: string
  to: string
}

interface MappingEditorProps {
  rows: readonly MappingEntry[]
  error?: string | undefined
  onChange: (rows: MappingEntry[]) => void
}

/** Rows of requested model → upstream model. */
export function MappingEditor({ rows, error, onChange }: MappingEditorProps) {
  const { t } = useTranslation()
  const change = (index: number, fields: Partial<MappingEntry>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...fields } : row)))
  return (
    <Input.Wrapper
      label={t('channelForm.mapping')}
      description={t('channelForm.mappingHint')}
      error={error}
      labelElement="div"
    >
      <Stack gap={6} mt={4}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              flex={1}
              placeholder={t('channelForm.mappingFrom')}
              aria-label={`${t('channelForm.mappingFrom')} ${index + 1}`}
              value={row.from}
              onChange={(event) => change(index, { from: event.currentTarget.value })}
            />
            <IconArrowRight size={14} aria-hidden style={{ flex: 'none' }} />
            <TextInput
              flex={1}
              placeholder={t('channelForm.mappingTo')}
              aria-label={`${t('channelForm.mappingTo')} ${index + 1}`}
              value={row.to}
              onChange={(event) => change(index, { to: event.currentTarget.value })}
            />
            <ActionIcon
              onClick={({ currentTarget }) => {
                // A row is its place, so the last one goes.
                if (index === rows.length - 1) focusBeside(currentTarget)
                onChange(rows.filter((_, at) => at !== index))
              }}
              aria-label={t('common.remove', { name: row.from || String(index + 1) })}
            >
              <IconX size={14} />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconPlus size={12} />}
            onClick={() => onChange([...rows, { from: '', to: '' }])}
          >
            {t('channelForm.mappingAdd')}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}
