import { useTranslation } from 'react-i18next'
import { Select } from '../../../components/forms/option-lists.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { MODEL_MARK } from './marks.ts'

interface SnippetModelProps {
  /** Id of the tool. */
  tool: string
  model: string | null
  onModel: (model: string | null) => void
}

/** Fills a model's name into the texts; those that fit the tool come first. */
export function SnippetModel({ tool, model, onModel }: SnippetModelProps) {
  const { t } = useTranslation()
  const offered = useOperation('connect.models', { tool })
  return (
    <Select
      label={t('connectTools.model')}
      description={t('connectTools.fillHint', { placeholder: MODEL_MARK })}
      placeholder={t('connectTools.fillNoModel')}
      data={(offered.data?.models ?? []).map(({ id }) => id)}
      value={model}
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      searchable
      nothingFoundMessage={t('connectTools.noSuchModel')}
      onChange={onModel}
    />
  )
}
