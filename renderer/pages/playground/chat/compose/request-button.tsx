import { Button, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTerminal2 } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '../../../../components/feedback/failure-note.tsx'
import { useAction } from '../../../../gateway/queries.ts'
import { CurlCommand } from '../../run/curl-button.tsx'
import type { CurlRequest } from '../../run/curl-command.ts'
import { blankTurn, type Column, type Turn } from '../desk/chat-record.ts'
import { chatRequest, isBroken } from '../desk/chat-request.ts'
import { threadOf } from '../desk/thread.ts'
import { useDesk, useDeskState } from '../use-desk.ts'

/** The request of the chosen column as its client would send it. */
export function RequestButton() {
  const { t } = useTranslation()
  const [opened, dialog] = useDisclosure(false)
  const desk = useDesk()
  const settings = useDeskState(
    ({ record, active }) => record.columns.find(({ key }) => key === active)?.settings,
  )
  const { record, active } = desk.read()
  const column = record.columns.find(({ key }) => key === active)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconTerminal2 size={14} />}
        onClick={dialog.open}
        disabled={!settings || isBroken(settings)}
        aria-haspopup="dialog"
      >
        {t('tasks.curl')}
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        size={680}
        title={t('tasks.curlTitle')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {opened && column && <Request column={column} />}
      </Modal>
    </>
  )
}

/** With the message that is being typed; without one, the request of the last reply. */
function askedTurns(column: Column, message: Turn): Turn[] {
  const thread = threadOf(column)
  if (message.text !== '' || message.attachments.length > 0) return [...thread, message]
  return thread.slice(0, thread.findLastIndex(({ role }) => role === 'user') + 1)
}

function Request({ column }: { column: Column }) {
  const { t } = useTranslation()
  const desk = useDesk()
  const preview = useAction('playground.preview')
  const [request, setRequest] = useState<CurlRequest | null>(null)
  const [goneFile, setGoneFile] = useState<string | null>(null)
  const { run } = preview
  const { draft } = desk.read()
  const text = draft.text.trim()
  const { attachments } = draft
  const message: Turn = { ...blankTurn, id: '', parent: null, role: 'user', text, attachments }
  const turns = askedTurns(column, message)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the request as it is when the dialog opens
  useEffect(() => {
    if (turns.length === 0) return
    const read = async () => {
      const gone = await desk.readFiles(turns)
      if (gone !== null) return setGoneFile(gone)
      const asked = chatRequest(column.settings, turns, desk.dataOf)
      const shown = (await run({ ...asked, show_request: true }))?.data.request
      if (shown)
        setRequest({ path: shown.path, body: { json: JSON.parse(shown.body) }, streams: true })
    }
    void read()
  }, [])

  if (turns.length === 0) return <Text c="dimmed">{t('chat.nothingToShow')}</Text>
  return (
    <Stack>
      {goneFile !== null && <Text>{t('chat.fileGone', { name: goneFile })}</Text>}
      <FailureNote failure={preview.failure} />
      {request && <CurlCommand request={request} />}
    </Stack>
  )
}
