import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './turn.module.css'

export interface Versions {
  /** Ids of the versions of a turn, the oldest first. */
  ids: readonly string[]
  /** Index of the one that is shown. */
  at: number
}

interface TurnProps {
  column: string
  turn: unknown
  versions: Versions
  isLast?: boolean
}

/** For `memo`: versions are only ever added, so their number tells whether they are the same. */
export const sameTurn = (one: TurnProps, other: TurnProps): boolean =>
  one.turn === other.turn &&
  one.column === other.column &&
  one.isLast === other.isLast &&
  one.versions.at === other.versions.at &&
  one.versions.ids.length === other.versions.ids.length

/** Goes through the versions of a turn; nothing where there is one. */
export function TurnVersions({
  versions: { ids, at },
  onSelect,
}: {
  versions: Versions
  onSelect: (id: string) => void
}) {
  const { t } = useTranslation()
  if (ids.length < 2) return null
  const step = (by: number) => () => {
    const id = ids[at + by]
    if (id !== undefined) onSelect(id)
  }
  return (
    <span className={styles.versions}>
      <ActionIcon
        size={24}
        disabled={at === 0}
        onClick={step(-1)}
        aria-label={t('chat.earlierVersion')}
      >
        <IconChevronLeft size={14} />
      </ActionIcon>
      <span>{t('chat.version', { number: at + 1, all: ids.length })}</span>
      <ActionIcon
        size={24}
        disabled={at === ids.length - 1}
        onClick={step(1)}
        aria-label={t('chat.laterVersion')}
      >
        <IconChevronRight size={14} />
      </ActionIcon>
    </span>
  )
}
