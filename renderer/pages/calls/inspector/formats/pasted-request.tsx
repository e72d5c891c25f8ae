import { Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput, OperationOutput } from '../../../../../preload/contract.ts'
import { ActionButton } from '../../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../../components/feedback/failure-note.tsx'
import { type UnsavedForm, useKeptUnsaved } from '../../../../components/leaving/use-unsaved.ts'
import type { GatewayClient } from '../../../../gateway/client.ts'
import { useGateway } from '../../../../gateway/gateway-context.ts'
import { useAction, useOperation } from '../../../../gateway/queries.ts'
import { Segments } from '../layout/segments.tsx'
import { FormatViews } from './format-views.tsx'
import styles from './formats.module.css'

type Format = OperationInput<'capture.convert'>['format']

const formats: readonly Format[] = ['chat', 'messages', 'responses', 'generate-content']

type Views = OperationOutput<'capture.convert'> | null

/** What a user pasted outlives the panel: another row, another tab or another page doesn’t lose it. */
class Pasted {
  readonly userId: number
  format: Format = 'chat'
  body = ''
  views: Views = null
  readonly unsaved: UnsavedForm = { isInDrawer: false, isKept: true }

  constructor(userId: number) {
    this.userId = userId
  }
}

const pastedOf = new WeakMap<GatewayClient, Pasted>()

/** Any request, pasted as JSON, in every wire format. */
export function PastedRequest() {
  const { t } = useTranslation()
  const client = useGateway()
  const userId = useOperation('user.self', {}).data?.id ?? 0
  const known = pastedOf.get(client)
  // Another one who signs in here sees none of it.
  const pasted = known?.userId === userId ? known : new Pasted(userId)
  pastedOf.set(client, pasted)
  const [{ format, body, views }, setShown] = useState({ ...pasted })
  const change = (fields: { format?: Format; body?: string; views?: Views }) =>
    setShown({ ...Object.assign(pasted, fields) })
  useKeptUnsaved(pasted.unsaved, body.trim() !== '')
  const convert = useAction('capture.convert')
  const run = async () => {
    const reply = await convert.run({ format, body })
    if (reply) change({ views: reply.data })
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
        onChange={(next) => change({ format: next })}
        data={formats.map((value) => ({ value, label: value }))}
      />
      <Textarea
        label={t('inspector.pastedBody')}
        classNames={{ input: 'mono' }}
        autosize
        minRows={5}
        maxRows={14}
        value={body}
        onChange={(event) => change({ body: event.currentTarget.value })}
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
