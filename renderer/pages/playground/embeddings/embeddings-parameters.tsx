import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { numberOrNothing } from '../run/optional-fields.ts'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { embeddingsTask } from './embeddings-task.ts'

/** Parameters of https://platform.openai.com/docs/api-reference/embeddings/create */
export function EmbeddingsParameters() {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(embeddingsTask)
  return (
    <NumberField
      label={t('tasks.dimensions')}
      description={t('tasks.dimensionsHint')}
      placeholder={t('playground.notSent')}
      min={1}
      whole
      value={draft.dimensions}
      onChange={(value) => runner.fill({ dimensions: numberOrNothing(value) })}
    />
  )
}
