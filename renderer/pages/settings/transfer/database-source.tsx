import { useTranslation } from 'react-i18next'
import { Autocomplete } from '../../../components/forms/option-lists.tsx'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import { SourceForm, type SourceProps } from './source-form.tsx'

const usualPaths = ['~/.cc-switch/cc-switch.db', '~/.claude-code-router/config.sqlite']

const labels = {
  path: 'transfer.path',
} as const

interface DatabaseSourceProps extends SourceProps {
  path: string
  onPath: (path: string) => void
}

/** A database of another program on the gateway's machine, by its path. */
export function DatabaseSource({ read, onPreview, onEdit, path, onPath }: DatabaseSourceProps) {
  const { t } = useTranslation()
  const { at, rest } = splitFailure(read.failure, labels, t)
  return (
    <SourceForm
      read={read}
      failure={rest}
      isReady={path.trim() !== ''}
      onSubmit={() => onPreview({ path })}
    >
      <Autocomplete
        label={t('transfer.path')}
        description={t('transfer.pathHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={usualPaths}
        value={path}
        error={at.path}
        maw={520}
        spellCheck={false}
        onChange={(text) => {
          onPath(text)
          onEdit()
        }}
      />
    </SourceForm>
  )
}
