import { Stack, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { Autocomplete, Select } from '../../../components/forms/option-lists.tsx'
import { numberOrNothing } from '../run/optional-fields.ts'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { speechTask } from './speech-task.ts'

/** OpenAI's, as suggestions: other vendors have their own. */
const voices = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
]

/** Formats that a browser plays, so no raw PCM. */
const formats = ['wav', 'mp3', 'opus', 'aac', 'flac']

/** Parameters of https://platform.openai.com/docs/api-reference/audio/createSpeech */
export function SpeechParameters() {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(speechTask)
  return (
    <Stack gap="md">
      <Autocomplete
        size="xs"
        label={t('tasks.voice')}
        placeholder={t('playground.notSent')}
        data={voices}
        value={draft.voice}
        onChange={(voice) => runner.fill({ voice })}
      />
      <Select
        label={t('tasks.format')}
        placeholder={t('tasks.formatAutomatic')}
        clearable
        data={formats}
        value={draft.format || null}
        onChange={(format) => runner.fill({ format: format ?? '' })}
      />
      <NumberField
        label={t('tasks.speed')}
        placeholder={t('playground.notSent')}
        min={0.25}
        max={4}
        step={0.25}
        value={draft.speed}
        onChange={(value) => runner.fill({ speed: numberOrNothing(value) })}
      />
      <Textarea
        label={t('tasks.instructions')}
        placeholder={t('tasks.instructionsPlaceholder')}
        autosize
        minRows={2}
        maxRows={8}
        value={draft.instructions}
        onChange={(event) => runner.fill({ instructions: event.currentTarget.value })}
      />
    </Stack>
  )
}
