import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { roles, useRole } from '../../../gateway/use-role.ts'
import { ChannelForm, type PassedCheck } from './channel-form.tsx'
import { PresetPicker } from './preset-picker.tsx'

interface NewChannelProps {
  onDone: (passed?: PassedCheck) => void
  /** The channel is checked before it is added. */
  checksFirst?: boolean
}

export function NewChannel({ onDone, checksFirst = false }: NewChannelProps) {
  const { t } = useTranslation()
  const isOwner = useRole() >= roles.owner
  const presets = useOperation('channel.presets', {})
  const [chosen, setChosen] = useState<string | null>(null)

  return (
    <QueryView query={presets} verb={t('channelForm.loadingPresets')}>
      {(list) => {
        const preset = list.find(({ id }) => id === chosen)
        if (!preset) {
          return (
            <>
              <PresetPicker presets={list} onPick={setChosen} />
              {/* The first run has its own list of them. */}
              {isOwner && !checksFirst && (
                <Button
                  component={Link}
                  href="/settings/transfer"
                  variant="subtle"
                  mt="sm"
                  ml={-10}
                >
                  {t('foundKeys.search')}
                </Button>
              )}
            </>
          )
        }
        return (
          <Stack gap="md">
            <ChannelForm
              key={preset.id}
              preset={preset}
              checksFirst={checksFirst}
              onBack={() => setChosen(null)}
              onDone={onDone}
            />
          </Stack>
        )
      }}
    </QueryView>
  )
}
