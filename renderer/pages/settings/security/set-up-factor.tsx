import { Group, Stack, Text } from '@mantine/core'
import { QRCodeSVG } from 'qrcode.react'
import { useTranslation } from 'react-i18next'
import { Snippet } from '../../../components/actions/snippet.tsx'
import { useUnsaved } from '../../../components/leaving/use-unsaved.ts'
import { useAction } from '../../../gateway/queries.ts'
import { BackupCodes } from './backup-codes.tsx'
import { CodeForm } from './code-form.tsx'
import styles from './security.module.css'

export interface NewFactor {
  secret: string
  qr_code_data: string
  backup_codes: string[]
}

interface SetUpFactorProps {
  factor: NewFactor
  reads: Parameters<typeof useAction>[1]
  onLeave: () => void
}

/** Three steps: scan, store the backup codes, enter a code of the app. */
export function SetUpFactor({ factor, reads, onLeave }: SetUpFactorProps) {
  const { t } = useTranslation()
  useUnsaved(true, false, t('security.setUpLost'))
  const enable = useAction('two-factor.enable', reads)
  const run = async (code: string) => {
    if (await enable.run({ code })) onLeave()
  }
  return (
    <ol className={styles.steps}>
      <li>
        <Text fw={500}>{t('security.scan')}</Text>
        <Group align="flex-start" gap="lg">
          <div className={styles.code}>
            <QRCodeSVG
              value={factor.qr_code_data}
              size={168}
              marginSize={2}
              title={t('security.qrCode')}
            />
          </div>
          <Stack gap={6} flex={1} miw={220}>
            <Text c="dimmed">{t('security.orType')}</Text>
            <Snippet text={factor.secret} label={t('security.secret')} />
          </Stack>
        </Group>
      </li>
      <li>
        <BackupCodes codes={factor.backup_codes} />
      </li>
      <li>
        <CodeForm
          hint={t('security.enableHint')}
          verb={t('security.enable')}
          busyLabel={t('security.enabling')}
          action={enable}
          focused={false}
          onCode={(code) => void run(code)}
          onLeave={onLeave}
        />
      </li>
    </ol>
  )
}
