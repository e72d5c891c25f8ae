import { Stack, Textarea } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonField } from '../../../../components/forms/json-field.tsx'
import { Select } from '../../../../components/forms/option-lists.tsx'
import type { CatalogueEntry } from '../../../../gateway/records.ts'
import { ModelPicker } from '../../model/model-picker.tsx'
import { type ColumnSettings, type WireFormat, wireFormats } from '../desk/chat-record.ts'
import { useDesk } from '../use-desk.ts'
import { ParameterFields } from './parameter-fields.tsx'
import { TokenSelect } from './token-select.tsx'
import { ToolsField } from './tools-field.tsx'
import { useKnownParameters } from './use-known-parameters.ts'

/** As their vendors call them, in any language. */
const formatNames: Readonly<Record<WireFormat, string>> = {
  chat: 'OpenAI Chat Completions',
  responses: 'OpenAI Responses',
  messages: 'Anthropic Messages',
  'generate-content': 'Gemini generateContent',
}

interface ColumnPanelProps {
  /** Key of the column. */
  column: string
  settings: ColumnSettings
  entries: readonly CatalogueEntry[]
  onChooseModel: (key: string, model: string) => void
}

/** Who answers in a column, and with which parameters. */
// Memoized: a reply that streams changes the column, and not its settings.
export const ColumnPanel = memo(function ColumnPanel(props: ColumnPanelProps) {
  const { column: key, settings, entries, onChooseModel } = props
  const { t } = useTranslation()
  const desk = useDesk()
  const { model, channel, format, system, schema, extra } = settings
  const takesSchema = useKnownParameters(settings)?.structured_output !== false
  const channels = entries.find(({ id }) => id === model)?.channels ?? []
  return (
    <Stack gap="md">
      <ModelPicker
        entries={entries}
        model={model}
        onChoose={(id) => onChooseModel(key, id)}
        label={t('playground.model')}
      />
      {(channels.length > 0 || channel !== null) && (
        <Select
          label={t('chat.channel')}
          placeholder={t('chat.anyChannel')}
          data={channels.map(({ id, name }) => ({ value: String(id), label: name }))}
          clearable
          clearButtonProps={{ 'aria-label': t('chat.clearChannel') }}
          value={channel === null ? null : String(channel)}
          onChange={(id) => desk.configure(key, { channel: id === null ? null : Number(id) })}
        />
      )}
      <TokenSelect column={key} token={settings.token} />
      <Select
        label={t('chat.wireFormat')}
        description={t('chat.wireFormatHint')}
        allowDeselect={false}
        data={wireFormats.map((value) => ({ value, label: formatNames[value] }))}
        value={format}
        onChange={(value) => desk.configure(key, { format: value as WireFormat })}
      />
      <Textarea
        label={t('playground.system')}
        placeholder={t('playground.systemPlaceholder')}
        autosize
        minRows={3}
        maxRows={10}
        value={system}
        onChange={(event) => desk.configure(key, { system: event.currentTarget.value })}
      />
      <ParameterFields column={key} settings={settings} />
      <ToolsField column={key} settings={settings} />
      {(takesSchema || schema !== '') && (
        <JsonField
          label={t('chat.schema')}
          hint={t(takesSchema ? 'chat.schemaHint' : 'chat.schemaNotTaken')}
          value={schema}
          onChange={(value) => desk.configure(key, { schema: value })}
        />
      )}
      <JsonField
        label={t('chat.extra')}
        hint={t('chat.extraHint')}
        value={extra}
        onChange={(value) => desk.configure(key, { extra: value })}
      />
    </Stack>
  )
})
