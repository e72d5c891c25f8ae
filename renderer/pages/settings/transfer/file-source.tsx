import { Button, Group, PasswordInput, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FileChoice } from '../../../components/actions/file-choice.tsx'
import type { ChosenFile } from './read-file.ts'
import { SourceForm, type SourceProps } from './source-form.tsx'

interface FileSourceProps extends SourceProps {
  file: ChosenFile
  onFile: (file: File | null | undefined) => void
  onText: (text: string) => void
  passphrase: string
  onPassphrase: (passphrase: string) => void
}

/** Whether it takes a passphrase. */
export const isSealed = ({ text }: ChosenFile): boolean => text.includes('"sealed"')

/** Characters of a file that the field shows; many more would stop the page. */
const MOST_SHOWN = 500_000

/** A file's text, chosen, dropped or pasted. */
export function FileSource(props: FileSourceProps) {
  const { file, onFile, onText, passphrase, onPassphrase, read, onPreview } = props
  const { t } = useTranslation()
  const { text, name, problem } = file
  const takesPassphrase = isSealed(file)
  const isLong = name !== undefined && text.length > MOST_SHOWN
  return (
    <SourceForm
      read={read}
      failure={read.failure}
      isReady={text.trim() !== '' && (!takesPassphrase || passphrase !== '')}
      onSubmit={() =>
        onPreview({ text, ...(name && { filename: name }), ...(takesPassphrase && { passphrase }) })
      }
    >
      <Group gap={8}>
        <FileChoice onChange={onFile}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('transfer.chooseFile')}
            </Button>
          )}
        </FileChoice>
        <Text c="dimmed">{name ?? t('transfer.dropHere')}</Text>
      </Group>
      <Textarea
        label={t('transfer.text')}
        description={t('transfer.textHint')}
        value={isLong ? '' : text}
        placeholder={isLong ? t('transfer.fileLong') : undefined}
        error={problem && t(`transfer.file_${problem}`, { name })}
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
