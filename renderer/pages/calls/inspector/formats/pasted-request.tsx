import { Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput, OperationOutput } from '../../../../../preload/contract.ts'
import { ActionButton } from '../../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../../components/feedback/failure-note.tsx'
import { useAction } from '../../../../gateway/queries.ts'
import { Segments } from '../layout/segments.tsx'
import { FormatViews } from './format-views.tsx'
import styles from './formats.module.css'

type Format = OperationInput<'capture.convert'>['format']

const formats: readonly Format[] = ['chat', 'messages', 'responses', 'generate-content']

/** Any request, pasted as JSON, in every wire format. */
export function PastedRequest() {
  const { t } = useTranslation()
  const [format, setFormat] = useState<Format>('chat')
  const [body, setBody] = useState('')
  const [views, setViews] = useState<OperationOutput<'capture.convert'> | null>(null)
  const convert = useAction('capture.convert')
  const run = async () => {
    const reply = await convert.run({ format, body })
    if (reply) setViews(reply.data)
  }
  const isOfBody = convert.failure?.field === 'body'
  return (
    <form
      className={styles.views}
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <Segments
        label={t('inspector.pastedFormat')}
        value={format}
        onChange={setFormat}
        data={formats.map((value) => ({ value, label: value }))}
      />
      <Textarea
        label={t('inspector.pastedBody')}
        classNames={{ input: 'mono' }}
        autosize
        minRows={5}
        maxRows={14}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        error={isOfBody ? convert.failure?.message : undefined}
      />
      <Group>
        <ActionButton
          type="submit"
          busy={convert.busy}
          busyLabel={t('inspector.converting')}
          onCancel={convert.cancel}
          disabled={body.trim() === ''}
        >
          {t('inspector.convert')}
        </ActionButton>
      </Group>
      {!isOfBody && <FailureNote failure={convert.failure} />}
      {views && <FormatViews formats={views.formats} />}
    </form>
  )
}
