import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { CallFailure } from '../../../../gateway/call-failure.ts'
import { useOperation } from '../../../../gateway/queries.ts'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { roles, useRole } from '../../../../gateway/use-role.ts'
import { useSentence } from '../../../../i18n/use-sentence.ts'
import styles from './capture.module.css'
import { CaptureBurst } from './capture-burst.tsx'

interface MissingCaptureProps {
  call: TimelineRow
  /** The gateway's own words. */
  failure?: CallFailure | null
}

/** Says why a call can't be looked into, and how the next one can. */
export function MissingCapture({ call, failure }: MissingCaptureProps) {
  const { t } = useTranslation()
  const say = useSentence()
  const role = useRole()
  const status = useOperation('capture.status', {}, { enabled: role >= roles.administrator })
  const why =
    failure?.status === 403
      ? say(failure)
      : status.data?.level === 'off' && status.data.burst_until === null
        ? t('captures.wasOff')
        : call.kind === 'refused'
          ? t('captures.wasRefused')
          : ((failure && say(failure)) ?? t('captures.gone'))
  return (
    <div className={styles.missing} role="note">
      <Text fw={600}>{t('captures.none')}</Text>
      <Text c="dimmed" maw={560}>
        {why}
      </Text>
      {role >= roles.owner && (
        <Group gap={8} mt={6}>
          <CaptureBurst />
          <Button component={Link} href="/settings/options" variant="default">
            {t('captures.settings')}
          </Button>
        </Group>
      )}
    </div>
  )
}
