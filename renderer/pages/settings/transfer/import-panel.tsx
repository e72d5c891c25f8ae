import { SegmentedControl, Stack } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { useUnsaved } from '../../../components/leaving/use-unsaved.ts'
import { useAction } from '../../../gateway/queries.ts'
import { DatabaseSource } from './database-source.tsx'
import { FileSource, isSealed } from './file-source.tsx'
import { blankGateway, GatewaySource } from './gateway-source.tsx'
import { ImportPreview } from './import-preview.tsx'
import { LastImport } from './last-import.tsx'
import { type ChosenFile, readFile } from './read-file.ts'
import type { PreviewInput } from './source-form.tsx'

const sources = ['file', 'gateway', 'database'] as const
type Source = (typeof sources)[number]

interface Preview {
  data: OperationOutput<'transfer.preview'>
  source: Source
  /** What was typed when it was asked for. */
  typed: string
}

const noFile: ChosenFile = { text: '' }

export function ImportPanel() {
  const { t } = useTranslation()
  const [source, setSource] = useState<Source>('file')
  const [file, setFile] = useState<ChosenFile>(noFile)
  const [passphrase, setPassphrase] = useState('')
  const [gateway, setGateway] = useState(blankGateway)
  const [path, setPath] = useState('')
  // What was typed when it was imported: no edit any more.
  const [imported, setImported] = useState<Partial<Record<Source, string>>>({})
  const [preview, setPreview] = useState<Preview | null>(null)
  const read = useAction('transfer.preview')

  const typed: Record<Source, string> = {
    // A file that was chosen is where it was.
    file: (file.name === undefined ? file.text : '') + (isSealed(file) ? passphrase : ''),
    gateway: gateway.address + gateway.token + gateway.user,
    database: path,
  }
  useUnsaved(sources.some((one) => typed[one] !== '' && typed[one] !== imported[one]))

  const forget = () => {
    setPreview(null)
    // One that comes late is of another source or text.
    read.cancel()
    read.reset()
  }
  const take = async (chosen: File | null | undefined) => {
    if (!chosen) return
    const taken = await readFile(chosen)
    forget()
    setSource('file')
    setFile(taken)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  const look = async (input: PreviewInput) => {
    forget()
    const reply = await read.run(input)
    if (reply) setPreview({ data: reply.data, source, typed: typed[source] })
  }
  const common = { read, onPreview: (input: PreviewInput) => void look(input), onEdit: forget }

  return (
    <Panel title={t('transfer.import')} hint={t('transfer.importHint')}>
      <Stack gap="md" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <SegmentedControl
          aria-label={t('transfer.sources')}
          data={sources.map((one) => ({ value: one, label: t(`transfer.source_${one}`) }))}
          value={source}
          onChange={(one) => {
            forget()
            setSource(one as Source)
          }}
          style={{ alignSelf: 'flex-start', maxWidth: '100%' }}
        />
        {source === 'file' && (
          <FileSource
            {...common}
            file={file}
            passphrase={passphrase}
            onPassphrase={setPassphrase}
            onFile={(chosen) => void take(chosen)}
            onText={(text) => {
              forget()
              setFile({ text })
            }}
          />
        )}
        {source === 'gateway' && <GatewaySource {...common} draft={gateway} onDraft={setGateway} />}
        {source === 'database' && <DatabaseSource {...common} path={path} onPath={setPath} />}
        {preview && (
          <ImportPreview
            key={preview.data.preview_id}
            preview={preview.data}
            onApplied={() => {
              setPreview(null)
              setImported({ ...imported, [preview.source]: preview.typed })
            }}
          />
        )}
        {!preview && <LastImport onUndone={() => setImported({})} />}
      </Stack>
    </Panel>
  )
}
