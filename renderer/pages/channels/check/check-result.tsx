import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ChannelCheck } from '../../../gateway/records.ts'
import type { ChannelDraft } from '../form/channel-draft.ts'
import styles from './check-result.module.css'
import { CheckSentence } from './check-sentence.tsx'
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
      <CheckSentence result={result} />
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
