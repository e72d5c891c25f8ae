import { Combobox, Input, InputBase, useCombobox } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogueEntry } from '../../../gateway/records.ts'
import { ModelFacts } from './model-facts.tsx'
import styles from './model-picker.module.css'
import { searchModels } from './search-models.ts'

/** Options that are drawn; a longer list is for the search. */
const MOST_SHOWN = 200

interface ModelPickerProps {
  entries: readonly CatalogueEntry[]
  /** Id; one that isn't offered any more is shown as it is. */
  model: string
  onChoose: (id: string) => void
  /** For screen readers, and above the field unless `bare`. */
  label: string
  bare?: boolean | undefined
}

/** Shows the model that the page calls; the search has a field of its own, so that typing never changes it. */
export function ModelPicker({ entries, model, onChoose, label, bare }: ModelPickerProps) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const box = useCombobox({
    onDropdownOpen: () => {
      box.focusSearchInput()
      box.selectActiveOption()
    },
    onDropdownClose: () => {
      box.resetSelectedOption()
      setSearch('')
    },
  })
  // Enter takes the first match.
  const { selectFirstOption } = box
  useEffect(() => {
    if (search !== '') selectFirstOption()
  }, [search, selectFirstOption])
  const chosen = entries.find(({ id }) => id === model)
  const name = chosen?.display_name ?? model
  const isGone = model !== '' && !chosen

  return (
    <Combobox
      store={box}
      width={380}
      position="bottom-start"
      shadow="md"
      onOptionSubmit={(id) => {
        onChoose(id)
        box.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <InputBase
          component="button"
          type="button"
          role="combobox"
          pointer
          flex={1}
          miw={0}
          classNames={{ input: styles.field }}
          {...(bare ? {} : { label })}
          error={isGone && (bare || t('playground.modelGone'))}
          aria-label={label}
          rightSection={<IconSelector size={14} aria-hidden />}
          rightSectionPointerEvents="none"
          onClick={() => box.toggleDropdown()}
          title={name === model ? model : `${name} (${model})`}
        >
          {model ? (
            <span className={styles.value}>{name}</span>
          ) : (
            <Input.Placeholder>{t('playground.chooseModel')}</Input.Placeholder>
          )}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('playground.searchModels')}
          aria-label={t('playground.searchModels')}
        />
        {box.dropdownOpened && (
          <Options entries={entries} model={model} search={search} label={label} />
        )}
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface OptionsProps {
  entries: readonly CatalogueEntry[]
  model: string
  search: string
  label: string
}

function Options({ entries, model, search, label }: OptionsProps) {
  const { t } = useTranslation()
  const groups = useMemo(() => searchModels(entries, search), [entries, search])
  const total = groups.reduce((sum, group) => sum + group.entries.length, 0)
  let left = MOST_SHOWN
  return (
    <>
      <Combobox.Options mah={340} className={styles.options} aria-label={label} tabIndex={0}>
        {groups.map((group) => {
          const shown = group.entries.slice(0, Math.max(0, left))
          left -= shown.length
          return (
            shown.length > 0 && (
              <Combobox.Group key={group.vendor} label={group.vendor}>
                {shown.map((entry) => (
                  <Combobox.Option
                    key={entry.id}
                    value={entry.id}
                    active={entry.id === model}
                    aria-selected={entry.id === model}
                  >
                    <Model entry={entry} />
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            )
          )
        })}
      </Combobox.Options>
      <div role="status" className={styles.note}>
        {total === 0 && t('playground.noModelFound', { search: search.trim() })}
        {total > MOST_SHOWN && t('playground.moreModels', { count: total - MOST_SHOWN })}
      </div>
    </>
  )
}

function Model({ entry }: { entry: CatalogueEntry }) {
  const { display_name: name, id, channels } = entry
  return (
    <span className={styles.option}>
      <span className={styles.names}>
        <span className={styles.name}>{name}</span>
        {name !== id && <span className="mono">{id}</span>}
      </span>
      <ModelFacts entry={entry} />
      {channels.length > 0 && (
        <span className={styles.facts}>{channels.map((channel) => channel.name).join(', ')}</span>
      )}
    </span>
  )
}
