import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconAdjustments, IconPlayerStopFilled, IconX } from '@tabler/icons-react'
import { type FocusEvent, memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogueEntry } from '../../../../gateway/records.ts'
import { ModelPicker } from '../../model/model-picker.tsx'
import type { Column } from '../desk/chat-record.ts'
import { threadOf } from '../desk/thread.ts'
import { ReplyFigures } from '../turn/reply-figures.tsx'
import { useDesk, useDeskState } from '../use-desk.ts'
import styles from './column.module.css'
import { ColumnEstimate } from './column-estimate.tsx'
import { Thread } from './thread.tsx'

interface ColumnViewProps {
  column: Column
  /** From 1. */
  number: number
  isOnly: boolean
  isActive: boolean
  entries: readonly CatalogueEntry[]
  onChooseModel: (key: string, model: string) => void
  onSettings: (key: string) => void
}

/** The Tab key brings only a part of the next column into view, and the strip then snaps back to the one before. */
function bringAcross({ currentTarget: column, target }: FocusEvent<HTMLElement>): void {
  const strip = column.parentElement
  // Only for the keyboard: a click would miss what moves away under it.
  if (!strip || !target.matches(':focus-visible')) return
  const { left, right } = column.getBoundingClientRect()
  const shown = strip.getBoundingClientRect()
  if (left < shown.left - 1 || right > shown.right + 1) strip.scrollBy({ left: left - shown.left })
}

/** One column: who answers, the conversation with it, and the figures of its last reply. */
export const ColumnView = memo(function ColumnView(props: ColumnViewProps) {
  const { column, number, isOnly, isActive } = props
  const { t } = useTranslation()
  const label = isOnly ? t('playground.conversation') : t('chat.column', { number })
  return (
    <section
      className={styles.column}
      aria-label={label}
      data-active={(isActive && !isOnly) || undefined}
      onFocus={bringAcross}
    >
      {!isOnly && (
        <Head
          column={column.key}
          model={column.settings.model}
          number={number}
          entries={props.entries}
          onChooseModel={props.onChooseModel}
          onSettings={props.onSettings}
        />
      )}
      <Thread column={column} label={t('chat.threadOf', { name: label })} />
      <Foot column={column} />
    </section>
  )
})

interface HeadProps extends Pick<ColumnViewProps, 'entries' | 'onChooseModel' | 'onSettings'> {
  /** Key of the column. */
  column: string
  model: string
  number: number
}

const Head = memo(function Head(props: HeadProps) {
  const { column: key, model, number, entries, onChooseModel, onSettings } = props
  const { t } = useTranslation()
  const desk = useDesk()
  return (
    <div className={styles.head}>
      <div className={styles.picker}>
        <ModelPicker
          bare
          entries={entries}
          model={model}
          onChoose={(model) => onChooseModel(key, model)}
          label={t('chat.modelOf', { number })}
        />
      </div>
      <Tooltip label={t('chat.columnSettings', { number })}>
        <ActionIcon
          onClick={() => onSettings(key)}
          aria-label={t('chat.columnSettings', { number })}
        >
          <IconAdjustments size={16} />
        </ActionIcon>
      </Tooltip>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => desk.keep(key)}
        aria-label={t('chat.keepOnly')}
      >
        {t('chat.keep')}
      </Button>
      <Tooltip label={t('chat.removeColumn', { number })}>
        <ActionIcon
          onClick={() => desk.removeColumn(key)}
          aria-label={t('chat.removeColumn', { number })}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
})

function Foot({ column }: { column: Column }) {
  const { t } = useTranslation()
  const desk = useDesk()
  const isTyping = useDeskState(
    ({ draft }) => draft.text.trim() !== '' || draft.attachments.length > 0,
  )
  const last = threadOf(column).at(-1)
  const reply = last?.role === 'assistant' ? last : null
  const isStreaming = reply?.state === 'streaming'
  if (!reply && !isTyping) return null
  return (
    <footer className={styles.foot}>
      {reply && <ReplyFigures turn={reply} />}
      {isStreaming && (
        <Button
          size="compact-xs"
          color="gray"
          leftSection={<IconPlayerStopFilled size={12} />}
          onClick={() => desk.stop(column.key)}
        >
          {t('chat.stopColumn')}
        </Button>
      )}
      {isTyping && !isStreaming && <ColumnEstimate column={column} />}
    </footer>
  )
}
