import { ActionIcon, Button, Drawer, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconFileTypography, IconJson, IconSearch, IconTrash } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../../components/actions/confirm-dialog.tsx'
import { FileChoice } from '../../../../components/actions/file-choice.tsx'
import { saveFile } from '../../../../components/actions/save-file.ts'
import { useFormat } from '../../../../components/format/use-format.ts'
import type { ChatRecord } from '../desk/chat-record.ts'
import type { ChatStore } from '../desk/chat-store.ts'
import { fitsSearch, nameOf, nameOfMessage } from '../desk/thread.ts'
import { useDesk, useDeskState } from '../use-desk.ts'
import styles from './conversations.module.css'
import { asJson, asMarkdown, fileNameOf } from './export-conversation.ts'
import { readConversation } from './read-conversation.ts'

const hasTurns = ({ columns }: ChatRecord): boolean => columns.some(({ turns }) => turns.length > 0)

/** One without turns goes by the message that is typed there; null where there's none. */
async function listed(record: ChatRecord, store: ChatStore): Promise<ChatRecord | null> {
  if (hasTurns(record)) return record
  const name = nameOfMessage(await store.draft(record.id))
  return name === '' ? null : { ...record, name }
}

interface ConversationListProps {
  opened: boolean
  onClose: () => void
  onOpen: (id: string) => void
}

export function ConversationList({ opened, onClose, onOpen }: ConversationListProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="left"
      size={400}
      title={t('chat.conversations')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {opened && <List onOpen={onOpen} />}
    </Drawer>
  )
}

function List({ onOpen }: Pick<ConversationListProps, 'onOpen'>) {
  const { t } = useTranslation()
  const desk = useDesk()
  const current = useDeskState((state) => state.record)
  const [records, setRecords] = useState<readonly ChatRecord[]>([])
  const [search, setSearch] = useState('')
  const [wrongFile, setWrongFile] = useState<string | null>(null)
  const [removing, setRemoving] = useState<ChatRecord | 'all' | null>(null)

  const read = useCallback(async () => {
    desk.flush()
    const { store } = desk
    const all = await Promise.all((await store.all()).map((record) => listed(record, store)))
    const found = all.filter((record) => record !== null)
    setRecords(found.sort((one, other) => other.updatedAt - one.updatedAt))
  }, [desk])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name shows in the list
  useEffect(() => void read(), [read, current.id, current.name])

  const take = async (file: File | null) => {
    setWrongFile(null)
    if (!file) return
    // A folder, or a file that is gone, has no text.
    const record = readConversation(await file.text().catch(() => ''))
    if (!record) return setWrongFile(file.name)
    await desk.takeIn(record)
    onOpen(record.id)
  }
  const shown = records.filter((record) => fitsSearch(record, search))
  const remove = async () => {
    if (removing === 'all') await desk.removeAll()
    else if (removing) await desk.remove(removing.id)
    setRemoving(null)
    await read()
  }
  return (
    <Stack gap="sm">
      {!desk.store.isKept && <Text c="var(--warn)">{t('chat.notKept')}</Text>}
      <TextInput
        data-autofocus
        aria-label={t('chat.searchConversations')}
        placeholder={t('chat.searchConversations')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {shown.length === 0 && (
        <Text c="dimmed">
          {records.length === 0
            ? t('chat.noConversations')
            : t('chat.noConversationFound', { search: search.trim() })}
        </Text>
      )}
      <ul className={styles.list}>
        {shown.map((record) => (
          <Row
            key={record.id}
            record={record}
            isOpen={record.id === current.id}
            onOpen={() => onOpen(record.id)}
            onRemove={() => setRemoving(record)}
          />
        ))}
      </ul>
      {wrongFile !== null && (
        <Text c="var(--bad)" role="alert">
          {t('chat.importWrong', { name: wrongFile })}
        </Text>
      )}
      <Group justify="space-between">
        <FileChoice accept="application/json,.json" onChange={(file) => void take(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('chat.import')}
            </Button>
          )}
        </FileChoice>
        {records.length > 1 && (
          <Button variant="subtle" color="red" onClick={() => setRemoving('all')}>
            {t('chat.deleteAll')}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={removing !== null}
        title={t(removing === 'all' ? 'chat.deleteAll' : 'chat.deleteConversation')}
        text={
          removing === 'all'
            ? t('chat.deleteAllText', { count: records.length })
            : t('chat.deleteText', { name: removing === null ? '' : nameOf(removing) })
        }
        verb={t(removing === 'all' ? 'chat.deleteAll' : 'chat.deleteConversation')}
        busyLabel={t('chat.deleting')}
        busy={false}
        failure={null}
        onConfirm={() => void remove()}
        onCancelRun={() => setRemoving(null)}
        onClose={() => setRemoving(null)}
      />
    </Stack>
  )
}

interface RowProps {
  record: ChatRecord
  isOpen: boolean
  onOpen: () => void
  onRemove: () => void
}

function Row({ record, isOpen, onOpen, onRemove }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const name = nameOf(record)
  const models = [...new Set(record.columns.map(({ settings }) => settings.model))].join(', ')
  const file = fileNameOf(record)
  const isSent = hasTurns(record)
  const facts = [
    format.time(Math.floor(record.updatedAt / 1000)),
    ...(isSent ? [] : [t('chat.notSent')]),
    models,
  ]
  return (
    <li className={styles.row} data-open={isOpen || undefined}>
      <button type="button" className={styles.name} onClick={onOpen} aria-current={isOpen}>
        <span>{name}</span>
        <span className={styles.models}>{facts.join(' · ')}</span>
      </button>
      {isSent && (
        <>
          <Tooltip label={t('chat.exportMarkdown')}>
            <ActionIcon
              onClick={() => saveFile(`${file}.md`, asMarkdown(record), 'text/markdown')}
              aria-label={t('chat.exportMarkdownOf', { name })}
            >
              <IconFileTypography size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('chat.exportJson')}>
            <ActionIcon
              onClick={() => saveFile(`${file}.json`, asJson(record), 'application/json')}
              aria-label={t('chat.exportJsonOf', { name })}
            >
              <IconJson size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
      <Tooltip label={t('chat.deleteConversation')}>
        <ActionIcon onClick={onRemove} aria-label={t('chat.deleteOf', { name })}>
          <IconTrash size={15} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
