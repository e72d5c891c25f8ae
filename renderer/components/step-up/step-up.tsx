import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CallFailure } from '../../gateway/call-failure.ts'
import { useOperation } from '../../gateway/queries.ts'
import { QueryView } from '../feedback/query-view.tsx'
import { needsStepUp } from './needs-step-up.ts'
import { StepUpForm } from './step-up-form.tsx'

interface StepUpProps {
  /** The action's failure; the dialog opens only if it asks for a step-up. */
  failure: CallFailure | null
  /** "To show the key of …, confirm that it’s you." */
  purpose: string
  /** Runs the action again. */
  onVerified: () => void
  onClose: () => void
}

export function StepUp({ failure, purpose, onVerified, onClose }: StepUpProps) {
  const { t } = useTranslation()
  const opened = needsStepUp(failure)
  const status = useOperation('verify.status', {}, { enabled: opened })
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('stepUp.title')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <QueryView query={status} verb={t('stepUp.loading')}>
        {({ methods }) => (
          <StepUpForm
            methods={methods}
            purpose={purpose}
            onVerified={onVerified}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Modal>
  )
}
