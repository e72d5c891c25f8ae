import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import type { ChannelCheck } from '../../../gateway/records.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import styles from './check-result.module.css'

/** Says in one sentence how a check went; a refusal in the vendor’s own words. */
export function CheckSentence({ result }: { result: ChannelCheck }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const {
    ok,
    step,
    status,
    tested_model: model,
    problem,
    why,
    ms,
    keys,
    refused_key: refused,
  } = result
  const time = format.duration(ms)
  if (ok) {
    return (
      <Group gap={8} wrap="nowrap" role="status">
        <IconCheck size={16} color="var(--good)" aria-hidden className={styles.icon} />
        <Text className={styles.words}>
          {keys > 1 && `${t('channelCheck.keysPassed', { count: keys })} `}
          {t('channelCheck.passed', { model, time })}
        </Text>
      </Group>
    )
  }
  const title =
    step === 'models'
      ? t(status === null ? 'channelCheck.listUnreached' : 'channelCheck.listFailed', { status })
      : model === null
        ? t('channelCheck.noCall')
        : t(status === null ? 'channelCheck.callUnreached' : 'channelCheck.callFailed', {
            ...{ model, status },
          })
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" role="alert">
      <IconAlertTriangle size={16} color="var(--bad)" aria-hidden className={styles.icon} />
      <div className={styles.words}>
        {refused && (
          <Text fw={500}>{t('channelCheck.keyRefused', { ...refused, count: keys })}</Text>
        )}
        <Text fw={500}>{title}</Text>
        <blockquote className={styles.problem}>
          {problem && say({ message: problem, reason: why })}
        </blockquote>
        <Text c="dimmed" fz={12}>
          {t('channelCheck.after', { time })}
        </Text>
      </div>
    </Group>
  )
}
