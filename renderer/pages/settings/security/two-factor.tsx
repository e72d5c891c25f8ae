import { Alert, Badge, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useUnsaved } from '../../../components/leaving/use-unsaved.ts'
import { needsStepUp } from '../../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../../components/step-up/step-up.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import { BackupCodes } from './backup-codes.tsx'
import { CodeForm } from './code-form.tsx'
import { type NewFactor, SetUpFactor } from './set-up-factor.tsx'

const reads = ['two-factor.status', 'user.self', 'verify.status', 'session.list'] as const

export function TwoFactor() {
  const { t } = useTranslation()
  const status = useOperation('two-factor.status', {})
  return (
    <Panel title={t('security.title')} hint={t('security.hint')}>
      <QueryView query={status} verb={t('security.loading')}>
        {(data) =>
          data.enabled ? (
            <EnabledFactor locked={data.locked} codesLeft={data.backup_codes_remaining ?? 0} />
          ) : (
            <NoFactor />
          )
        }
      </QueryView>
    </Panel>
  )
}

function NoFactor() {
  const { t } = useTranslation()
  const [factor, setFactor] = useState<NewFactor | null>(null)
  const setup = useAction('two-factor.setup', ['two-factor.status'])
  const begin = async () => {
    const reply = await setup.run({})
    if (reply) setFactor(reply.data)
  }
  if (factor) {
    return <SetUpFactor factor={factor} reads={reads} onLeave={() => setFactor(null)} />
  }
  return (
    <Stack gap="sm">
      <Text>{t('security.off')}</Text>
      {!needsStepUp(setup.failure) && <FailureNote failure={setup.failure} />}
      <div>
        <ActionButton
          busy={setup.busy}
          busyLabel={t('security.settingUp')}
          onCancel={setup.cancel}
          onClick={() => void begin()}
        >
          {t('security.setUp')}
        </ActionButton>
      </div>
      <StepUp
        failure={setup.failure}
        purpose={t('security.setUpProof')}
        onVerified={() => void begin()}
        onClose={setup.reset}
      />
    </Stack>
  )
}

/** Milliseconds. */
const LOOK_AGAIN = 10_000

/** A lock ends by itself. */
function LockNote() {
  const { t } = useTranslation()
  useOperation('two-factor.status', {}, { refetchInterval: LOOK_AGAIN })
  return <Alert color="yellow">{t('security.locked')}</Alert>
}

/** As many as signing in without the app and switching the second factor off take. */
const FEW_CODES = 2

function EnabledFactor({ locked, codesLeft }: { locked: boolean; codesLeft: number }) {
  const { t } = useTranslation()
  const [act, setAct] = useState<'disable' | 'renew' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  useUnsaved(codes !== null, false, t('security.codesLost'))
  const disable = useAction('two-factor.disable', reads)
  const renew = useAction('two-factor.backup-codes', reads)
  const close = () => {
    setAct(null)
    disable.reset()
    renew.reset()
  }
  const runRenew = async (code: string) => {
    const reply = await renew.run({ code })
    if (!reply) return
    setCodes(reply.data.backup_codes)
    close()
  }

  return (
    <Stack gap="sm">
      <Group gap={8}>
        <Badge color="green">{t('security.on')}</Badge>
        <Text c={codesLeft <= FEW_CODES ? 'var(--warn)' : 'dimmed'}>
          {t('security.codesLeft', { count: codesLeft })}
        </Text>
      </Group>
      {codesLeft <= FEW_CODES && <Text c="dimmed">{t('security.fewCodes')}</Text>}
      {locked && <LockNote />}
      {codes && <BackupCodes codes={codes} onDone={() => setCodes(null)} />}
      {act === null && (
        <Group gap={8}>
          <ActionButton
            variant="default"
            busy={false}
            busyLabel=""
            onCancel={close}
            onClick={() => setAct('renew')}
          >
            {t('security.newCodes')}
          </ActionButton>
          <ActionButton
            variant="default"
            busy={false}
            busyLabel=""
            onCancel={close}
            onClick={() => setAct('disable')}
          >
            {t('security.disable')}
          </ActionButton>
        </Group>
      )}
      {act === 'renew' && (
        <CodeForm
          hint={t('security.newCodesHint')}
          verb={t('security.newCodes')}
          busyLabel={t('security.makingCodes')}
          action={renew}
          onCode={(code) => void runRenew(code)}
          onLeave={close}
        />
      )}
      {act === 'disable' && (
        <CodeForm
          hint={t('security.disableHint')}
          verb={t('security.disable')}
          busyLabel={t('security.disabling')}
          action={disable}
          onCode={(code) => void disable.run({ code })}
          onLeave={close}
        />
      )}
    </Stack>
  )
}
