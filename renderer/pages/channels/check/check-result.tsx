import { Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import type { ChannelCheck } from '../../../gateway/records.ts'
import type { ChannelDraft } from '../form/channel-draft.ts'
import styles from './check-result.module.css'
import { unlistedModels, withListed } from './listed-models.ts'

interface CheckResultProps {
  result: ChannelCheck
  draft: ChannelDraft
  /** Models of the preset. */
  preset: readonly string[]
  onUse: (models: string[]) => void
}

/** Names that are shown in a sentence. */
const shown = 5

export function CheckResult({ result, draft, preset, onUse }: CheckResultProps) {
  const { t } = useTranslation()
  const listed = result.models ?? []
  const unlisted = listed.length > 0 ? unlistedModels(draft, listed) : []
  const better = withListed(draft, listed, preset)
  const names = unlisted.slice(0, shown).join(', ') + (unlisted.length > shown ? ', …' : '')
  return (
    <section
      className={styles.result}
      aria-label={t('channelCheck.result')}
      data-failed={!result.ok || undefined}
    >
      <Sentence result={result} />
      {result.step === 'call' && (
        <Text c="dimmed" fz={12}>
          {listed.length === 0
            ? t('channelCheck.noList')
            : unlisted.length === 0
              ? t('channelCheck.listed', { count: listed.length })
              : t('channelCheck.unlisted', { count: unlisted.length, models: names })}
        </Text>
      )}
      {better && (
        <Group gap={8} mt={6}>
          <Button variant="default" size="compact-sm" onClick={() => onUse(better)}>
            {t('channelCheck.useListed')}
          </Button>
          <Text c="dimmed" fz={12}>
            {t('channelCheck.listed', { count: listed.length })}
          </Text>
        </Group>
      )}
    </section>
  )
}

function Sentence({ result }: { result: ChannelCheck }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { ok, step, status, tested_model: model, problem, ms } = result
  const time = format.duration(ms)
  if (ok) {
    return (
      <Group gap={8} wrap="nowrap" role="status">
        <IconCheck size={16} color="var(--good)" aria-hidden className={styles.icon} />
        <Text className={styles.words}>{t('channelCheck.passed', { model, time })}</Text>
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
        <Text fw={500}>{title}</Text>
        <blockquote className={styles.problem}>{problem}</blockquote>
        <Text c="dimmed" fz={12}>
          {t('channelCheck.after', { time })}
        </Text>
      </div>
    </Group>
  )
}
