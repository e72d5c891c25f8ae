import { Button, FileButton, Group, PasswordInput, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SourceForm, type SourceProps } from './source-form.tsx'

export interface ChosenFile {
  text: string
  name?: string | undefined
}

interface FileSourceProps extends SourceProps {
  file: ChosenFile
  onFile: (file: File | null | undefined) => void
  onText: (text: string) => void
  passphrase: string
  onPassphrase: (passphrase: string) => void
}

/** Whether it takes a passphrase. */
export const isSealed = ({ text }: ChosenFile): boolean => text.includes('"sealed"')

/** The first bytes of every SQLite file. */
const DATABASE = 'SQLite format 3\0'

/** A file's text, chosen, dropped or pasted. */
export function FileSource(props: FileSourceProps) {
  const { file, onFile, onText, passphrase, onPassphrase, read, onPreview } = props
  const { t } = useTranslation()
  const { text, name } = file
  const takesPassphrase = isSealed(file)
  const isDatabase = text.startsWith(DATABASE)
  return (
    <SourceForm
      read={read}
      failure={read.failure}
      isReady={text.trim() !== '' && !isDatabase && (!takesPassphrase || passphrase !== '')}
      onSubmit={() =>
        onPreview({ text, ...(name && { filename: name }), ...(takesPassphrase && { passphrase }) })
      }
    >
      <Group gap={8}>
        <FileButton onChange={onFile}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('transfer.chooseFile')}
            </Button>
          )}
        </FileButton>
        <Text c="dimmed">{name ?? t('transfer.dropHere')}</Text>
      </Group>
      <Textarea
        label={t('transfer.text')}
        description={t('transfer.textHint')}
        value={isDatabase ? '' : text}
        error={isDatabase ? t('transfer.isDatabase') : undefined}
        onChange={(event) => onText(event.currentTarget.value)}
        rows={4}
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      {takesPassphrase && (
        <PasswordInput
          label={t('transfer.passphrase')}
          value={passphrase}
          autoComplete="off"
          maw={420}
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          onChange={(event) => onPassphrase(event.currentTarget.value)}
        />
      )}
    </SourceForm>
  )
}
