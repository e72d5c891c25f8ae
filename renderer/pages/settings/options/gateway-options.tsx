import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { NoMatch } from '../../../components/feedback/no-match.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useUnsaved } from '../../../components/leaving/use-unsaved.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { useIsShared } from '../../../gateway/use-is-shared.ts'
import { oftenChanged } from './often-changed.ts'
import { optionAreas } from './option-entries.ts'
import { narrowAreas, type OptionArea, type OptionEntry } from './option-entry.ts'
import { isChanged, OptionLine, type OptionRecord } from './option-line.tsx'
import { OptionTheme } from './option-theme.tsx'

const entries = optionAreas.flatMap((area) => area.entries)
const often = oftenChanged.flatMap((key) => entries.filter((entry) => entry.key === key))

/** Each option is saved by itself and takes effect at once. */
export function GatewayOptions() {
  const { t } = useTranslation()
  const query = useOperation('option.list', {})
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('find') ?? ''
  const find = (text: string) => setSearch(text ? { find: text } : {}, { replace: true })
  return (
    <>
      <TextInput
        leftSection={<IconSearch size={14} />}
        placeholder={t('options.find')}
        aria-label={t('options.find')}
        value={wanted}
        onChange={(event) => find(event.currentTarget.value)}
      />
      <QueryView query={query} verb={t('settings.loadingOptions')}>
        {(list) => <OptionPanels list={list} wanted={wanted} onClear={() => find('')} />}
      </QueryView>
    </>
  )
}

interface OptionPanelsProps {
  list: readonly OptionRecord[]
  wanted: string
  onClear: () => void
}

function OptionPanels({ list, wanted, onClear }: OptionPanelsProps) {
  const { t } = useTranslation()
  const isShared = useIsShared()
  // Kept here, since a line goes when its theme is folded or the search leaves it out.
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({})
  useUnsaved(Object.keys(drafts).length > 0)
  const storedOf = ({ key }: OptionEntry) => list.find((one) => one.key === key)
  const type = (key: string, typed: string | null) =>
    setDrafts(({ [key]: _before, ...others }) =>
      typed === null ? others : { ...others, [key]: typed },
    )
  const lines = (shown: readonly OptionEntry[]) =>
    shown.map((entry) => {
      const stored = storedOf(entry)
      return (
        stored && (
          <OptionLine
            key={entry.key}
            entry={entry}
            stored={stored}
            typed={drafts[entry.key] ?? null}
            onType={(typed) => type(entry.key, typed)}
          />
        )
      )
    })
  const titleOf = ({ name }: OptionArea) => t(`options.${name}`)
  const changes = (entry: OptionEntry) => {
    const stored = storedOf(entry)
    return stored !== undefined && isChanged(entry, stored)
  }
  const areas = narrowAreas(
    optionAreas,
    (entry) => isShared || !entry.isForSharing || changes(entry),
  )

  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length > 0) {
    const matches = ({ key, label, hint }: OptionEntry) => {
      const text = [key, t(`options.${label}`), hint ? t(`options.${hint}`) : '']
      return words.every((word) => text.join(' ').toLowerCase().includes(word))
    }
    // A whole key, as the search over everything sends it, means that option alone.
    const exact = narrowAreas(areas, ({ key }) => key === wanted)
    const found = exact.length > 0 ? exact : narrowAreas(areas, matches)
    if (found.length === 0) {
      return (
        <NoMatch
          title={t('options.noneFound')}
          hint={t('options.noneFoundHint')}
          onClear={onClear}
        />
      )
    }
    return found.map((area) => (
      <Panel key={area.name} title={titleOf(area)}>
        {lines(area.entries)}
      </Panel>
    ))
  }
  return (
    <>
      <Panel title={t('options.oftenChanged')}>{lines(often)}</Panel>
      <Panel title={t('options.moreOptions')} flush>
        {narrowAreas(areas, (entry) => !often.includes(entry)).map((area) => (
          <OptionTheme
            key={area.name}
            title={titleOf(area)}
            changed={area.entries.filter(changes).length}
            unsaved={area.entries.filter(({ key }) => key in drafts).length}
          >
            {lines(area.entries)}
          </OptionTheme>
        ))}
      </Panel>
    </>
  )
}
