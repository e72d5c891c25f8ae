import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { useAction } from '../../gateway/queries.ts'

/** Uses the saved settings. */
export function TestNotice({ unsaved }: { unsaved: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const test = useAction('user.test-notice')
  const [taken, setTaken] = useState<string | null>(null)
  const send = async () => {
    setTaken(null)
    const reply = await test.run({})
    if (!reply) return
    const { sent_to: host, milliseconds } = reply.data
    setTaken(t('settings.noticeAccepted', { host, time: format.duration(milliseconds) }))
  }
  return (
    <>
      <Group gap={12}>
        <ActionButton
          variant="default"
          disabled={unsaved}
          busy={test.busy}
          busyLabel={t('settings.sendingNotice')}
          onCancel={test.cancel}
          onClick={() => void send()}
        >
          {t('settings.testNotice')}
        </ActionButton>
        {unsaved ? (
          <Text c="dimmed">{t('settings.saveBeforeTest')}</Text>
        ) : (
          taken && <span role="status">{taken}</span>
        )}
      </Group>
      {!unsaved && <FailureNote failure={test.failure} />}
    </>
  )
}
