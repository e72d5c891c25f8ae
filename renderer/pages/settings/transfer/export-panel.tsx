import { Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput, OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { saveFile } from '../../../components/actions/save-file.ts'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { needsStepUp } from '../../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../../components/step-up/step-up.tsx'
import { useAction } from '../../../gateway/queries.ts'

type Part = OperationInput<'transfer.export'>['parts'][number]

type LeftOutField = OperationOutput<'transfer.export'>['left_out'][number]

/** Whether each is ticked at first. */
const isUsual: Record<Part, boolean> = {
  channels: true,
  tokens: true,
  routes: true,
  prices: true,
  settings: true,
  groups: true,
  users: false,
  codes: false,
}
const parts = Object.keys(isUsual) as Part[]
const SHORTEST = 8

export function ExportPanel() {
  const { t } = useTranslation()
  const [ticked, setTicked] = useState<readonly Part[]>(() => parts.filter((part) => isUsual[part]))
  const [passphrase, setPassphrase] = useState('')
  const write = useAction('transfer.export')
  const isSealed = passphrase !== ''
  // Codes are worth money, and leave only sealed.
  const chosen = parts.filter((part) => ticked.includes(part) && (isSealed || part !== 'codes'))
  const [leftOut, setLeftOut] = useState<LeftOutField[]>([])
  const save = async () => {
    setLeftOut([])
    const reply = await write.run({ parts: [...chosen], ...(isSealed && { passphrase }) })
    if (!reply) return
    saveFile(reply.data.name, reply.data.text, 'application/json')
    setLeftOut(reply.data.left_out)
  }
  return (
    <Panel title={t('transfer.export')} hint={t('transfer.exportHint')}>
      <Stack gap="md">
        <Group gap="md" role="group" aria-label={t('transfer.parts')}>
          {parts.map((part) => (
            <Checkbox
              key={part}
              label={t(`transfer.part_${part}`)}
              checked={chosen.includes(part)}
              disabled={part === 'codes' && !isSealed}
              onChange={({ currentTarget: { checked } }) =>
                setTicked(checked ? [...ticked, part] : ticked.filter((one) => one !== part))
              }
            />
          ))}
        </Group>
        <PasswordInput
          label={t('transfer.passphrase')}
          description={t('transfer.passphraseHint')}
          value={passphrase}
          autoComplete="new-password"
          maw={420}
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          error={isSealed && passphrase.length < SHORTEST ? t('transfer.tooShort') : undefined}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <Text c="dimmed" fz={12}>
          {t(isSealed ? 'transfer.withSecrets' : 'transfer.withoutSecrets')}
        </Text>
        {leftOut.length > 0 && (
          <div role="status">
            <Text fw={500}>{t('transfer.notInFile')}</Text>
            <ul style={{ margin: 0, paddingInlineStart: 20 }}>
              {leftOut.map(({ part, name, field, reason }) => (
                <li key={`${part} ${name} ${field}`} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                  {field !== '' && <span className="mono"> {field}</span>}:{' '}
                  {t(`transfer.notInFile_${reason}`)}
                </li>
              ))}
            </ul>
          </div>
        )}
        {!needsStepUp(write.failure) && <FailureNote failure={write.failure} />}
        <ActionButton
          leftSection={<IconDownload size={14} />}
          disabled={chosen.length === 0 || (isSealed && passphrase.length < SHORTEST)}
          busy={write.busy}
          busyLabel={t('transfer.exporting')}
          onCancel={write.cancel}
          onClick={() => void save()}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('transfer.save')}
        </ActionButton>
      </Stack>
      <StepUp
        failure={write.failure}
        purpose={t('transfer.exportPurpose')}
        onVerified={() => void save()}
        onClose={write.reset}
      />
    </Panel>
  )
}
