import { SegmentedControl } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { Busy } from '../../../components/feedback/busy.tsx'
import { shortcutOf } from '../../../components/shortcuts/shortcuts.ts'
import type { CatalogueEntry } from '../../../gateway/records.ts'
import pageStyles from '../playground.module.css'
import styles from './chat.module.css'
import { ChatBar } from './chat-bar.tsx'
import { ColumnView } from './column/column-view.tsx'
import { Composer } from './compose/composer.tsx'
import { ConversationList } from './conversations/conversation-list.tsx'
import type { ChatDesk } from './desk/chat-desk.ts'
import { ColumnPanel } from './settings/column-panel.tsx'
import { DeskContext, useDesk, useDeskState, useOpenDesk } from './use-desk.ts'

interface ChatViewProps {
  entries: readonly CatalogueEntry[]
  /** The model of the page's address, or the first. */
  model: string
  onChooseModel: (id: string) => void
  modes: ReactNode
}

export function ChatView(props: ChatViewProps) {
  const { t } = useTranslation()
  const desk = useOpenDesk()
  if (!desk) return <Busy label={t('chat.opening')} onCancel={() => history.back()} />
  return (
    <DeskContext value={desk}>
      <Chat {...props} />
    </DeskContext>
  )
}

/** Esc ends all replies, unless it closes something first. */
function useStopKey(desk: ChatDesk): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        shortcutOf('playground', event) !== 'stop' ||
        event.defaultPrevented ||
        !desk.read().isStreaming
      )
        return
      if (document.querySelector('[role=dialog], [aria-haspopup][aria-expanded=true]')) return
      event.preventDefault()
      desk.stop()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [desk])
}

function Chat({ entries, model, onChooseModel, modes }: ChatViewProps) {
  const { t } = useTranslation()
  const desk = useDesk()
  const columns = useDeskState((state) => state.record.columns)
  const active = useDeskState((state) => state.active)
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
  const [isPanelOpen, panel] = useDisclosure(!isNarrow)
  // Above the columns it would take their place; beside them there is room.
  useEffect(() => (isNarrow ? panel.close() : panel.open()), [isNarrow, panel.close, panel.open])
  const [isListOpen, list] = useDisclosure(false)
  const [query] = useSearchParams()
  const asked = query.get('model')
  const first = columns[0]
  const lastFirst = useRef<string>(undefined)
  useStopKey(desk)

  // The address wins over the first column's model, until another column is the first; a conversation without a model
  // of its own takes the page's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the address or the first column changes
  useEffect(() => {
    const column = desk.read().record.columns[0]
    if (!column) return
    const own = column.settings.model
    const isKnown = entries.some(({ id }) => id === own)
    const isAnother = lastFirst.current !== undefined && lastFirst.current !== column.key
    lastFirst.current = column.key
    if (own === model) return
    // One that isn't offered any more stays, and its picker says so: another would answer unasked.
    if (own !== '' && !isKnown && asked !== model) return
    if (isKnown && (isAnother || asked !== model)) onChooseModel(own)
    else desk.configure(column.key, { model, channel: null })
  }, [asked, desk, first?.key])

  const chooseModel = useCallback(
    (key: string, id: string) => {
      desk.configure(key, { model: id, channel: null })
      if (desk.read().record.columns[0]?.key === key) onChooseModel(id)
    },
    [desk, onChooseModel],
  )
  const openPanel = useCallback(
    (key: string) => {
      desk.activate(key)
      panel.open()
    },
    [desk, panel.open],
  )
  const open = async (id: string) => {
    await desk.load(id)
    list.close()
  }
  const shown = columns.find(({ key }) => key === active)
  return (
    <>
      <div className={pageStyles.talk} data-whole={!isPanelOpen || undefined}>
        {modes}
        <ChatBar onConversations={list.open} isPanelOpen={isPanelOpen} onPanel={panel.toggle} />
        <div className={styles.columns} data-count={columns.length}>
          {columns.map((column, index) => (
            <ColumnView
              key={column.key}
              column={column}
              number={index + 1}
              isOnly={columns.length === 1}
              isActive={column.key === active}
              entries={entries}
              onChooseModel={chooseModel}
              onSettings={openPanel}
            />
          ))}
        </div>
        <Composer />
      </div>
      {isPanelOpen && shown && (
        <aside className={pageStyles.parameters} aria-label={t('playground.parameters')}>
          {columns.length > 1 && (
            <SegmentedControl
              fullWidth
              mb="md"
              aria-label={t('chat.settingsOf')}
              data={columns.map(({ key }, index) => ({ value: key, label: String(index + 1) }))}
              value={active}
              onChange={(key) => desk.activate(key)}
            />
          )}
          <ColumnPanel
            key={shown.key}
            column={shown.key}
            settings={shown.settings}
            entries={entries}
            onChooseModel={chooseModel}
          />
        </aside>
      )}
      <ConversationList opened={isListOpen} onClose={list.close} onOpen={(id) => void open(id)} />
    </>
  )
}
