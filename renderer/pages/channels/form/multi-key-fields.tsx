import { Radio, SegmentedControl, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Select } from '../../../components/forms/option-lists.tsx'
import { type ChannelDraft, hasSeveralKeys, keyLines } from './channel-draft.ts'
import type { ChannelFormPart } from './channel-fields.ts'
import styles from './channel-form.module.css'

export function MultiKeyFields({ draft, set, stored }: ChannelFormPart) {
  const { t } = useTranslation()
  const count = keyLines(draft.key).length
  const isStoredReadable =
    stored !== undefined && stored.key_preview !== '' && !stored.key_unreadable
  const showsKeyMode = isStoredReadable && count > 0
  const showsSplit = stored === undefined && count > 1
  const showsDraw = hasSeveralKeys(draft, stored)
  if (!showsKeyMode && !showsSplit && !showsDraw) return null

  return (
    <Stack gap="sm" className={styles.several}>
      {showsKeyMode && (
        <SegmentedControl
          aria-label={t('channelKeys.keyMode')}
          data={[
            { value: 'replace', label: t('channelKeys.replace', { count: stored.key_count }) },
            { value: 'append', label: t('channelKeys.append') },
          ]}
          value={draft.keyMode}
          onChange={(keyMode) => set({ keyMode: keyMode as ChannelDraft['keyMode'] })}
        />
      )}
      {showsSplit && (
        <Radio.Group
          label={t('channelKeys.useKeysAs', { count })}
          value={draft.createMode}
          onChange={(mode) => set({ createMode: mode as ChannelDraft['createMode'] })}
        >
          <Stack gap={6} mt={4}>
            <Radio size="xs" value="multi_to_single" label={t('channelKeys.oneChannel')} />
            <Radio size="xs" value="batch" label={t('channelKeys.channelEach', { count })} />
          </Stack>
        </Radio.Group>
      )}
      {showsSplit && draft.createMode === 'batch' && (
        <Switch
          label={t('channelKeys.keyInName')}
          checked={draft.keyInName}
          onChange={(event) => set({ keyInName: event.currentTarget.checked })}
        />
      )}
      {showsDraw && (
        <Select
          label={t('channelKeys.rotation')}
          data={[
            { value: 'random', label: t('channelKeys.rotationRandom') },
            { value: 'polling', label: t('channelKeys.rotationRoundRobin') },
          ]}
          value={draft.rotation}
          allowDeselect={false}
          onChange={(mode) => set({ rotation: mode as ChannelDraft['rotation'] })}
        />
      )}
    </Stack>
  )
}
