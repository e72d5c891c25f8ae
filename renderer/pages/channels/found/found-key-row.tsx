import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FoundKey } from '../../../gateway/records.ts'
import { CheckSentence } from '../check/check-sentence.tsx'
import styles from './found-keys.module.css'
import type { KeyFacts, KeyOutcome } from './use-take-keys.ts'

interface FoundKeyRowProps {
  found: FoundKey
  isTicked: boolean
  onTick: (isTicked: boolean) => void
  facts: KeyFacts
  onFacts: (facts: KeyFacts) => void
  /** The gateway's message by field. */
  problems: { base_url?: string; models?: string }
  outcome: KeyOutcome | undefined
  isBusy: boolean
  onTakeAnyway: () => void
}

const hostOf = (url: string | null): string =>
  url !== null && URL.canParse(url) ? new URL(url).host : ''

export function FoundKeyRow(props: FoundKeyRowProps) {
  const { found, isTicked, onTick, facts, onFacts, problems, outcome, isBusy, onTakeAnyway } = props
  const { t } = useTranslation()
  const { id, name, masked_key, where, base_url, channel, needs } = found
  const isTaken = outcome?.isTaken === true || channel !== null
  const host = hostOf(base_url)
  return (
    <li className={styles.row}>
      <Checkbox
        id={`found-${id}`}
        checked={isTicked && !isTaken}
        disabled={isTaken || isBusy}
        onChange={(event) => onTick(event.currentTarget.checked)}
        label={
          <>
            <span className={styles.name}>{name}</span> <span className="mono">{masked_key}</span>
          </>
        }
        description={
          <span className={styles.words}>
            {where === 'Environment' ? t('foundKeys.environment') : where}
            {host !== '' && host !== name && ` · ${host}`}
          </span>
        }
      />
      {isTicked && !isTaken && needs.length > 0 && (
        <Group gap={8} align="flex-start" className={styles.below}>
          {needs.map((field) => (
            <TextInput
              key={field}
              label={t(`foundKeys.${field}`)}
              placeholder={field === 'base_url' ? 'https://NAME.openai.azure.com' : 'gpt-5-mini'}
              description={t(`foundKeys.${field}Hint`)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={facts[field] ?? ''}
              error={problems[field]}
              flex={1}
              miw={200}
              onChange={(event) => onFacts({ ...facts, [field]: event.currentTarget.value })}
            />
          ))}
        </Group>
      )}
      {outcome?.check ? (
        <div className={styles.below}>
          <CheckSentence result={outcome.check} />
          {!outcome.isTaken && (
            <Button
              variant="default"
              size="compact-sm"
              className={styles.anyway}
              disabled={isBusy}
              onClick={onTakeAnyway}
              aria-label={t('foundKeys.takeAnywayNamed', { name })}
            >
              {t('foundKeys.takeAnyway')}
            </Button>
          )}
        </div>
      ) : (
        isTaken && (
          <Text c="dimmed" fz={12} className={styles.below}>
            {t('foundKeys.isChannel', { name: channel ?? name })}
          </Text>
        )
      )}
    </li>
  )
}
