import {
  ActionIcon,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { JsonField } from '../../../../components/forms/json-field.tsx'
import { Select } from '../../../../components/forms/option-lists.tsx'
import { type ColumnSettings, newId, type ToolDraft, toolChoices } from '../desk/chat-record.ts'
import { useDesk } from '../use-desk.ts'
import styles from './settings.module.css'
import { useKnownParameters } from './use-known-parameters.ts'

const example =
  '{\n  "type": "object",\n  "properties": {\n    "city": { "type": "string" }\n  }\n}'

/** Tools that the model may call; their answers are typed by hand, or fixed. */
export function ToolsField({
  column: key,
  settings,
}: {
  column: string
  settings: ColumnSettings
}) {
  const { t } = useTranslation()
  const desk = useDesk()
  const { tools } = settings
  const setTools = (changed: readonly ToolDraft[]) => desk.configure(key, { tools: changed })
  const change = (id: string, fields: Partial<ToolDraft>) =>
    setTools(tools.map((tool) => (tool.id === id ? { ...tool, ...fields } : tool)))

  return (
    <Stack gap={8}>
      <Group justify="space-between">
        <span className={styles.label}>{t('chat.tools')}</span>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPlus size={12} />}
          onClick={() =>
            setTools([
              ...tools,
              { id: newId(), name: '', description: '', schema: example, fixed: null },
            ])
          }
        >
          {t('chat.addTool')}
        </Button>
      </Group>
      {tools.map((tool, index) => (
        <ToolFields
          key={tool.id}
          tool={tool}
          number={index + 1}
          onChange={(fields) => change(tool.id, fields)}
          onRemove={() => setTools(tools.filter(({ id }) => id !== tool.id))}
        />
      ))}
      {tools.length > 0 && <ToolChoice column={key} settings={settings} />}
    </Stack>
  )
}

function ToolChoice({ column: key, settings }: { column: string; settings: ColumnSettings }) {
  const { t } = useTranslation()
  const desk = useDesk()
  const { tools, toolChoice } = settings
  const isForcible = useKnownParameters(settings)?.forced_tool !== false
  const kinds = toolChoices.filter((kind) => kind !== 'required' || isForcible)
  const choices = [
    ...kinds.map((value) => ({ value, label: t(`chat.toolChoice_${value}`) })),
    ...(isForcible ? tools : []).map(({ id, name }, index) => ({
      value: `tool ${id}` as const,
      label: t('chat.toolChoiceOf', {
        name: name.trim() || t('chat.toolNumber', { number: index + 1 }),
      }),
    })),
  ]
  const isOffered = choices.some(({ value }) => value === toolChoice)
  return (
    <Select
      label={t('chat.toolChoice')}
      placeholder={t('playground.notSent')}
      clearable
      clearButtonProps={{ 'aria-label': t('chat.clearToolChoice') }}
      data={choices}
      value={isOffered ? toolChoice : null}
      onChange={(value) => desk.configure(key, { toolChoice: value ?? '' })}
    />
  )
}

interface ToolFieldsProps {
  tool: ToolDraft
  /** From 1. */
  number: number
  onChange: (fields: Partial<ToolDraft>) => void
  onRemove: () => void
}

function ToolFields({ tool, number, onChange, onRemove }: ToolFieldsProps) {
  const { t } = useTranslation()
  const label = tool.name || t('chat.toolNumber', { number })
  return (
    <fieldset className={styles.tool}>
      <legend className={styles.legend}>{label}</legend>
      <Group gap={6} align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('chat.toolName')}
          value={tool.name}
          error={tool.name.trim() === '' ? t('chat.toolNeedsName') : undefined}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <ActionIcon onClick={onRemove} aria-label={t('chat.removeTool', { name: label })} mb={4}>
          <IconTrash size={15} />
        </ActionIcon>
      </Group>
      <TextInput
        label={t('chat.toolDescription')}
        value={tool.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <JsonField
        label={t('chat.toolSchema')}
        value={tool.schema}
        onChange={(schema) => onChange({ schema })}
      />
      <SegmentedControl
        fullWidth
        aria-label={t('chat.toolAnswer')}
        data={[
          { value: 'hand', label: t('chat.byHand') },
          { value: 'fixed', label: t('chat.byValue') },
        ]}
        value={tool.fixed === null ? 'hand' : 'fixed'}
        onChange={(value) => onChange({ fixed: value === 'hand' ? null : '' })}
      />
      {tool.fixed !== null && (
        <Textarea
          label={t('chat.fixedResult')}
          autosize
          minRows={1}
          maxRows={8}
          value={tool.fixed}
          onChange={(event) => onChange({ fixed: event.currentTarget.value })}
        />
      )}
    </fieldset>
  )
}
