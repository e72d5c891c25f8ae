import { Alert, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../preload/contract.ts'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { type Action, useAction } from '../../gateway/queries.ts'
import type { ConnectTool } from '../../gateway/records.ts'
import styles from './connect.module.css'

export type UpdateAddress = Action<'connect.update-address'>

type Failed = OperationOutput<'connect.update-address'>['failed']

export const useUpdateAddress = (): UpdateAddress =>
  useAction('connect.update-address', ['connect.tools'])

interface NewAddressButtonProps {
  update: UpdateAddress
  /** Left out: every tool at an old address. */
  tool?: ConnectTool
  onFailed?: (failed: Failed) => void
}

export function NewAddressButton({ update, tool, onFailed }: NewAddressButtonProps) {
  const { t } = useTranslation()
  const run = async () => {
    const reply = await update.run({ tool: tool?.id ?? null })
    if (reply) onFailed?.(reply.data.failed)
  }
  return (
    <ActionButton
      busy={update.busy}
      busyLabel={t('connectTools.updating')}
      onCancel={update.cancel}
      onClick={() => void run()}
      aria-label={
        tool
          ? t('connectTools.useNewAddressNamed', { name: tool.name })
          : t('connectTools.useNewAddressAll')
      }
    >
      {t(tool ? 'connectTools.useNewAddress' : 'connectTools.useNewAddressAll')}
    </ActionButton>
  )
}

/** Nothing while no tool points to an old address, and nothing went wrong. */
export function NewAddressNote({ tools }: { tools: readonly ConnectTool[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const update = useUpdateAddress()
  const atOld = tools.filter(({ old_address }) => old_address !== null)
  const [failed, setFailed] = useState<Failed>([])
  const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
  if (atOld.length === 0 && failed.length === 0) return null
  return (
    <Alert role="note" color="orange" title={t('connectTools.oldAddressTitle')}>
      <Stack gap="sm">
        <Text className={styles.breaks}>
          {t('connectTools.oldAddressText', { names: format.list(atOld.map(({ name }) => name)) })}
        </Text>
        <FailureNote failure={update.failure} />
        {failed.length > 0 && (
          <ul className={styles.list}>
            {failed.map(({ tool, problem }) => (
              <li key={tool}>
                <b>{nameOf(tool)}</b>: {problem}
              </li>
            ))}
          </ul>
        )}
        <Group gap={8}>
          <NewAddressButton update={update} onFailed={setFailed} />
        </Group>
      </Stack>
    </Alert>
  )
}
