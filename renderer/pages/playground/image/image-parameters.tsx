import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { Autocomplete, Select } from '../../../components/forms/option-lists.tsx'
import { numberOrNothing } from '../run/optional-fields.ts'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { imageTask } from './image-task.ts'

/** Suggestions: newer models take any WIDTHxHEIGHT. */
const sizes = ['auto', '1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792', '512x512']
const qualities = ['auto', 'low', 'medium', 'high', 'standard', 'hd']

/** Parameters of https://platform.openai.com/docs/api-reference/images/create */
export function ImageParameters() {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(imageTask)
  const notSent = t('playground.notSent')
  return (
    <Stack gap="md">
      <NumberField
        label={t('tasks.count')}
        placeholder={notSent}
        min={1}
        max={10}
        whole
        value={draft.n}
        onChange={(value) => runner.fill({ n: numberOrNothing(value) })}
      />
      <Autocomplete
        size="xs"
        label={t('tasks.size')}
        placeholder={notSent}
        data={sizes}
        value={draft.size}
        onChange={(size) => runner.fill({ size })}
      />
      <Select
        label={t('tasks.quality')}
        placeholder={notSent}
        clearable
        data={qualities}
        value={draft.quality || null}
        onChange={(quality) => runner.fill({ quality: quality ?? '' })}
      />
      <Select
        label={t('tasks.delivery')}
        description={t('tasks.deliveryHint')}
        placeholder={notSent}
        clearable
        data={['b64_json', 'url']}
        value={draft.response_format || null}
        onChange={(chosen) => runner.fill({ response_format: chosen ?? '' })}
      />
    </Stack>
  )
}
