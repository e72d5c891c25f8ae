import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../preload/contract.ts'
import { useAction } from '../../gateway/queries.ts'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { useFormat } from '../format/use-format.ts'
import { needsStepUp } from '../step-up/needs-step-up.ts'
import { StepUp } from '../step-up/step-up.tsx'

type Sealed = NonNullable<OperationOutput<'keychain.get'>['sealed']>

export function ForgetKeysDialog({ sealed, onClose }: { sealed: Sealed; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const forget = useAction('keychain.forget', ['keychain.get', 'server.get'])
  const run = async () => {
    if (await forget.run({ confirm: true })) onClose()
  }
  if (needsStepUp(forget.failure)) {
    return (
      <StepUp
        failure={forget.failure}
        purpose={t('keychain.stepUp')}
        onVerified={() => void run()}
        onClose={onClose}
      />
    )
  }
  const kinds = Object.keys(sealed) as (keyof Sealed)[]
  const lost = kinds
    .filter((kind) => sealed[kind] > 0)
    .map((kind) => t(`keychain.lost_${kind}`, { count: sealed[kind] }))
  return (
    <ConfirmDialog
      opened
      title={t('keychain.forgetTitle')}
      text={t('keychain.forgetText', { lost: format.list(lost) || t('keychain.lostNothing') })}
      verb={t('keychain.forgetVerb')}
      busyLabel={t('keychain.forgetting')}
      busy={forget.busy}
      failure={forget.failure}
      onConfirm={() => void run()}
      onCancelRun={forget.cancel}
      onClose={onClose}
    />
  )
}
