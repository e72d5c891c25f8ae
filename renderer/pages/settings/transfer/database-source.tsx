import { Autocomplete } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import { SourceForm, type SourceProps } from './source-form.tsx'

const usualPaths = ['~/.cc-switch/cc-switch.db', '~/.claude-code-router/config.sqlite']

const labels = {
  path: 'transfer.path',
} as const

/** A database of another program on the gateway's machine, by its path. */
export function DatabaseSource({ read, onPreview, onEdit }: SourceProps) {
  const { t } = useTranslation()
  const [path, setPath] = useState('')
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
          setPath(text)
          onEdit()
        }}
      />
    </SourceForm>
  )
}
