import { Fieldset, SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { timeLimits } from './channel-draft.ts'
import type { ChannelFormPart } from './channel-fields.ts'

export function ConnectionFields({ draft, set, at }: ChannelFormPart) {
  const { t } = useTranslation()
  return (
    <Fieldset legend={t('channelForm.connection')} variant="unstyled" m={0} p={0}>
      <TextInput
        label={t('channelForm.proxy')}
        description={t('channelForm.proxyHint')}
        placeholder="socks5://user:password@127.0.0.1:1080"
        autoComplete="off"
        spellCheck={false}
        value={draft.proxy}
        error={at.setting}
        onChange={(event) => set({ proxy: event.currentTarget.value })}
      />
      <SimpleGrid cols={2} spacing="sm" mt="sm">
        {timeLimits.map((limit) => (
          <NumberField
            key={limit}
            label={t(`channelForm.${limit}`)}
            placeholder={t('channelForm.limitUsual')}
            suffix={t('options.seconds')}
            min={0}
            value={draft.limits[limit]}
            error={at[limit]}
            onChange={(seconds) => set({ limits: { ...draft.limits, [limit]: seconds } })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  )
}
