import { type ComboboxItem, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import { Select } from '../../../components/forms/option-lists.tsx'
import type { ChosenModels, ConnectTool, ToolModel } from '../../../gateway/records.ts'

interface ModelFieldsProps {
  tool: ConnectTool
  /** Fitting ones first. */
  models: readonly ToolModel[]
  chosen: ChosenModels
  disabled: boolean
  onChange: (chosen: ChosenModels) => void
}

export function ModelFields({ tool, models, chosen, disabled, onChange }: ModelFieldsProps) {
  const { t } = useTranslation()
  const factsOf = useModelFacts()
  const items = (fits: boolean | null) =>
    models.filter((model) => model.fits === fits).map(({ id }) => ({ value: id, label: id }))
  const data = [
    { group: t('connectTools.fits'), items: items(true) },
    { group: t('connectTools.fitsUnknown'), items: items(null) },
    { group: t('connectTools.fitsNot'), items: items(false) },
  ].filter((group) => group.items.length > 0)
  const drawOption = ({ option }: { option: ComboboxItem }) => {
    const model = models.find(({ id }) => id === option.value)
    return (
      <div>
        {option.label}
        <Text c="dimmed">{model && factsOf(model)}</Text>
      </div>
    )
  }
  const choose = (slot: keyof ChosenModels, model: string | null) => {
    const next = { ...chosen }
    if (model !== null) next[slot] = model
    else if (slot !== 'main') delete next[slot]
    onChange(next)
  }
  return (
    <Stack gap={6}>
      <SimpleGrid cols={{ base: 1, xs: Math.min(tool.slots.length, 3) }} spacing="sm">
        {tool.slots.map(({ id }) => (
          <Select
            key={id}
            label={t(`connectTools.slot_${id}`)}
            data={data}
            renderOption={drawOption}
            value={chosen[id] ?? null}
            placeholder={t('connectTools.asMain')}
            // The keyboard doesn't reach the clear button: choosing the chosen model again clears it too.
            allowDeselect={id !== 'main'}
            clearable={id !== 'main'}
            clearButtonProps={{ 'aria-label': t('common.clear') }}
            searchable
            nothingFoundMessage={t('connectTools.noSuchModel')}
            disabled={disabled}
            onChange={(model) => choose(id, model)}
          />
        ))}
      </SimpleGrid>
      <Needs tool={tool} />
    </Stack>
  )
}

function Needs({ tool: { name, needs } }: Pick<ModelFieldsProps, 'tool'>) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const list = new Intl.ListFormat(i18n.language)
  const things = [
    needs.tools && t('connectTools.needTools'),
    needs.context !== null &&
      t('connectTools.needContext', { number: format.count(needs.context) }),
  ].filter((thing) => thing !== false)
  if (things.length === 0) return null
  return <Text c="dimmed">{t('connectTools.needs', { name, things: list.format(things) })}</Text>
}

/** The facts that tell whether it fits. */
function useModelFacts(): (model: ToolModel) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ tools, context }) =>
    [
      tools === false && t('common.noToolCalls'),
      tools === null && t('connectTools.toolCallsUnknown'),
      context === null
        ? t('connectTools.contextUnknown')
        : t('connectTools.context', { number: format.count(context) }),
    ]
      .filter((fact) => fact !== false)
      .join(', ')
}
