import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { FormDrawer } from '../../components/leaving/form-drawer.tsx'
import { AddEchoButton } from '../channels/form/add-echo-button.tsx'
import type { PassedCheck } from '../channels/form/channel-form.tsx'
import { NewChannel } from '../channels/form/new-channel.tsx'
import { FoundSection } from './found-section.tsx'
import styles from './welcome.module.css'

interface ChannelStepProps {
  onSkip: () => void
  /** A channel was added after it passed its check. */
  onChecked: (passed: PassedCheck) => void
}

export function ChannelStep({ onSkip, onChecked }: ChannelStepProps) {
  const { t } = useTranslation()
  const [choosing, drawer] = useDisclosure(false)
  const onTaken = ([first]: readonly PassedCheck[]) => first && onChecked(first)
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{t('welcome.channelTitle')}</Title>
        <Text c="dimmed">{t('welcome.channelHint')}</Text>
      </div>
      <div className={styles.choices}>
        <div className={styles.choice}>
          <Text fw={600}>{t('welcome.vendorTitle')}</Text>
          <Text c="dimmed">{t('welcome.vendorHint')}</Text>
          <div>
            <Button onClick={drawer.open}>{t('welcome.chooseVendor')}</Button>
          </div>
        </div>
        <div className={styles.choice}>
          <Text fw={600}>{t('welcome.echoTitle')}</Text>
          <Text c="dimmed">{t('welcome.echoHint')}</Text>
          <AddEchoButton variant="default" />
        </div>
      </div>
      <FoundSection onDone={onTaken} />
      <Group justify="flex-end">
        <Button variant="subtle" color="gray" onClick={onSkip}>
          {t('welcome.skip')}
        </Button>
      </Group>
      <FormDrawer
        opened={choosing}
        onClose={drawer.close}
        size={560}
        title={t('channelForm.addTitle')}
      >
        {choosing && (
          <NewChannel
            checksFirst
            onDone={(passed) => {
              if (passed) onChecked(passed)
              drawer.close()
            }}
          />
        )}
      </FormDrawer>
    </Stack>
  )
}
