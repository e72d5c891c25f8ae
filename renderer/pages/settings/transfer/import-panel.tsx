import { Button, FileButton, Group, PasswordInput, Stack, Text, Textarea } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useAction } from '../../../gateway/queries.ts'
import { ImportPreview } from './import-preview.tsx'

type Applied = OperationOutput<'transfer.apply'>

export function ImportPanel() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [filename, setFilename] = useState<string>()
  const [passphrase, setPassphrase] = useState('')
  const [preview, setPreview] = useState<OperationOutput<'transfer.preview'> | null>(null)
  const [applied, setApplied] = useState<Applied | null>(null)
  const read = useAction('transfer.preview')
  const undo = useAction('transfer.undo')

  const edit = (next: string, name?: string) => {
    setText(next)
    setFilename(name)
    setPreview(null)
    setApplied(null)
    read.reset()
  }
  const take = async (file: File | null | undefined) => {
    if (file) edit(await file.text(), file.name)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  const look = async () => {
    const input = { text, ...(filename && { filename }), ...(passphrase && { passphrase }) }
    const reply = await read.run(input)
    if (reply) setPreview(reply.data)
  }
  const takeBack = async () => {
    if (!applied) return
    if (await undo.run({ undo_id: applied.undo_id })) setApplied(null)
  }
  const isSealed = text.includes('"sealed"')

  return (
    <Panel title={t('transfer.import')} hint={t('transfer.importHint')}>
      <Stack gap="md" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <Group gap={8}>
          <FileButton onChange={(file) => void take(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {t('transfer.chooseFile')}
              </Button>
            )}
          </FileButton>
          <Text c="dimmed">{filename ?? t('transfer.dropHere')}</Text>
        </Group>
        <Textarea
          label={t('transfer.text')}
          value={text}
          onChange={(event) => edit(event.currentTarget.value)}
          rows={4}
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
        {isSealed && (
          <PasswordInput
            label={t('transfer.passphrase')}
            value={passphrase}
            autoComplete="off"
            maw={420}
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
          />
        )}
        <FailureNote failure={read.failure} />
        <ActionButton
          variant="default"
          disabled={text.trim() === '' || (isSealed && passphrase === '')}
          busy={read.busy}
          busyLabel={t('transfer.reading')}
          onCancel={read.cancel}
          onClick={() => void look()}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('transfer.preview')}
        </ActionButton>
        {preview && (
          <ImportPreview
            key={preview.preview_id}
            preview={preview}
            onApplied={(done) => {
              setPreview(null)
              setApplied(done)
            }}
          />
        )}
        {applied && (
          <Group gap={12}>
            <Text role="status">
              {t('transfer.applied', {
                added: applied.applied.reduce((sum, { added }) => sum + added, 0),
                changed: applied.applied.reduce((sum, { changed }) => sum + changed, 0),
              })}
            </Text>
            <ActionButton
              variant="default"
              busy={undo.busy}
              busyLabel={t('transfer.undoing')}
              onCancel={undo.cancel}
              onClick={() => void takeBack()}
            >
              {t('transfer.undo')}
            </ActionButton>
          </Group>
        )}
        <FailureNote failure={undo.failure} />
      </Stack>
    </Panel>
  )
}
