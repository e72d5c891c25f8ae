import { Stack, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { Select } from '../../../components/forms/option-lists.tsx'
import { numberOrNothing } from '../run/optional-fields.ts'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { transcriptionTask } from './transcription-task.ts'

const formats = ['json', 'text', 'srt', 'vtt', 'verbose_json']

/** Parameters of https://platform.openai.com/docs/api-reference/audio/createTranscription */
export function TranscriptionParameters() {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(transcriptionTask)
  const notSent = t('playground.notSent')
  return (
    <Stack gap="md">
      <Select
        label={t('tasks.format')}
        placeholder={notSent}
        clearable
        data={formats}
        value={draft.response_format || null}
        onChange={(chosen) => runner.fill({ response_format: chosen ?? '' })}
      />
      <TextInput
        label={t('tasks.language')}
        description={t('tasks.languageHint')}
        placeholder={notSent}
        value={draft.language}
        onChange={(event) => runner.fill({ language: event.currentTarget.value })}
      />
      <Textarea
        label={t('tasks.context')}
        description={t('tasks.contextHint')}
        placeholder={notSent}
        autosize
        minRows={2}
        maxRows={8}
        value={draft.prompt}
        onChange={(event) => runner.fill({ prompt: event.currentTarget.value })}
      />
      <NumberField
        label={t('playground.temperature')}
        placeholder={notSent}
        min={0}
        max={1}
        step={0.1}
        value={draft.temperature}
        onChange={(value) => runner.fill({ temperature: numberOrNothing(value) })}
      />
    </Stack>
  )
}
