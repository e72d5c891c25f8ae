import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './channel-form.module.css'

interface ModelChecklistProps {
  /** Models that the vendor lists. */
  listed: readonly string[]
  chosen: readonly string[]
  onUse: (models: string[]) => void
  onClose: () => void
}

/** Models chosen before are kept, also when the vendor doesn't list them. */
export function ModelChecklist({ listed, chosen, onUse, onClose }: ModelChecklistProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [ticked, setTicked] = useState<readonly string[]>(chosen)
  const shown = listed.filter((model) => model.toLowerCase().includes(text.trim().toLowerCase()))
  const own = chosen.filter((model) => !listed.includes(model))
  const chosenCount = listed.filter((model) => ticked.includes(model)).length

  return (
    <section className={styles.choice} aria-label={t('channelForm.fetchTitle')}>
      {listed.length === 0 ? (
        <Group justify="space-between">
          <Text>{t('channelForm.fetchNone')}</Text>
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
        </Group>
      ) : (
        <Stack gap="sm">
          <TextInput
            autoFocus
            placeholder={t('channelForm.fetchSearch')}
            aria-label={t('channelForm.fetchSearch')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group gap={8}>
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => setTicked([...new Set([...ticked, ...shown])])}
            >
              {t('channelForm.fetchAll')}
            </Button>
            <Button variant="default" size="compact-xs" onClick={() => setTicked([])}>
              {t('channelForm.fetchNoneButton')}
            </Button>
            <Text c="dimmed" ml="auto">
              {t('channelForm.fetchChosen', { chosen: chosenCount, all: listed.length })}
            </Text>
          </Group>
          <Checkbox.Group value={[...ticked]} onChange={setTicked}>
            <div className={styles.checklist}>
              {shown.map((model) => (
                <Checkbox key={model} size="xs" value={model} label={model} ff="monospace" />
              ))}
            </div>
          </Checkbox.Group>
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button
              onClick={() => onUse([...own, ...listed.filter((model) => ticked.includes(model))])}
            >
              {t('channelForm.fetchUse')}
            </Button>
          </Group>
        </Stack>
      )}
    </section>
  )
}
