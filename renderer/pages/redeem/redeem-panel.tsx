import { Alert, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { useUnsaved } from '../../components/leaving/use-unsaved.ts'
import { useAction, useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { roles } from '../../gateway/use-role.ts'
import styles from './redeem.module.css'

/** Quota units; the balance is null when it couldn't be read again. */
interface Credited {
  units: number
  balance: number | null
}

export function RedeemPanel() {
  const { t } = useTranslation()
  const format = useFormat()
  const [code, setCode] = useState('')
  const [credited, setCredited] = useState<Credited | null>(null)
  useUnsaved(code.trim() !== '')
  const self = useOperation('user.self', {})
  useRefreshOn('calls', [['user.self']])
  const status = useOperation('status.get', {})
  const isFree = self.data?.role === roles.owner && status.data?.self_use_mode_enabled
  const isAdministrator = self.data?.role === roles.administrator
  const redeem = useAction('topup.redeem', ['redemption.search'])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setCredited(null)
    const reply = await redeem.run({ key: code.trim() })
    if (!reply) return
    setCode('')
    const fresh = await self.refetch()
    setCredited({
      units: reply.data,
      balance: fresh.isSuccess ? fresh.data.quota : null,
    })
  }

  return (
    <Panel
      title={t('redeem.codeTitle')}
      hint={t(isAdministrator ? 'redeem.notForAdministrators' : 'redeem.codeHint')}
      actions={
        <div className={styles.balance}>
          <Text c="dimmed">{t('redeem.balance')}</Text>
          <span className={styles.amount}>{format.money(self.data?.quota)}</span>
        </div>
      }
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Group gap={8} align="flex-end">
            <TextInput
              className={styles.code}
              label={t('redeem.code')}
              autoComplete="off"
              spellCheck={false}
              classNames={{ input: 'mono' }}
              value={code}
              disabled={isAdministrator}
              aria-invalid={redeem.failure !== null}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <ActionButton
              type="submit"
              disabled={code.trim() === ''}
              busy={redeem.busy}
              busyLabel={t('redeem.redeeming')}
              onCancel={redeem.cancel}
            >
              {t('redeem.redeem')}
            </ActionButton>
          </Group>
          {isFree && <Text c="dimmed">{t('redeem.selfUse')}</Text>}
          <FailureNote failure={redeem.failure} />
          {credited && (
            <Alert color="green" role="status">
              {t('redeem.credited', { amount: format.money(credited.units) })}{' '}
              {credited.balance !== null &&
                t('redeem.newBalance', { amount: format.money(credited.balance) })}
            </Alert>
          )}
        </Stack>
      </form>
    </Panel>
  )
}
