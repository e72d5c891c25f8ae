import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../../components/feedback/failure-note.tsx'
import { Countdown } from '../../../../components/format/countdown.tsx'
import { useAction, useOperation } from '../../../../gateway/queries.ts'

const MINUTES = 10

/** Milliseconds between two looks: it also ends by itself, or in another window. */
const STEP = 10_000

/** Captures everything for ten minutes; shows the time left while it does. Only the owner may. */
export function CaptureBurst() {
  const { t } = useTranslation()
  const status = useOperation('capture.status', {}, { refetchInterval: STEP })
  const burst = useAction('capture.burst', ['capture.status'])
  const until = status.data?.burst_until ?? null
  const isOn = until !== null && until * 1000 > Date.now()
  return (
    <>
      <Group gap={8}>
        {isOn && (
          <Text span>
            {t('captures.burstLeft')} <Countdown until={until * 1000} />
          </Text>
        )}
        <ActionButton
          variant="default"
          busy={burst.busy}
          busyLabel={t(isOn ? 'captures.stopping' : 'captures.starting')}
          onCancel={burst.cancel}
          onClick={() => void burst.run({ minutes: isOn ? 0 : MINUTES })}
        >
          {isOn ? t('captures.stopBurst') : t('captures.burst', { minutes: MINUTES })}
        </ActionButton>
      </Group>
      <FailureNote failure={burst.failure} />
    </>
  )
}
