import { Fieldset, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type TimeLimit, timeLimits } from './channel-draft.ts'
import type { ChannelFormPart } from './channel-fields.ts'

/** The timeout that a refusal of the whole `settings` names, if any. */
export const limitNamedIn = (refusal: string | undefined): TimeLimit | undefined =>
  timeLimits.find((limit) => refusal?.includes(limit))

export function ConnectionFields({ draft, set, at }: ChannelFormPart) {
  const { t } = useTranslation()
  const refused = limitNamedIn(at.settings)
  return (
    <Fieldset legend={t('channelForm.connection')} variant="unstyled" m={0} p={0}>
      <TextInput
        label={t('channelForm.proxy')}
        description={t('channelForm.proxyHint')}
        placeholder="socks5://user:password@127.0.0.1:1080"
        autoComplete="off"
        spellCheck={false}
        value={draft.proxy}
        error={at.proxy ?? at.setting}
        onChange={(event) => set({ proxy: event.currentTarget.value })}
      />
      <SimpleGrid cols={2} spacing="sm" mt="sm">
        {timeLimits.map((limit) => (
          <NumberInput
            key={limit}
            label={t(`channelForm.${limit}`)}
            placeholder={t('channelForm.limitUsual')}
            suffix={t('options.seconds')}
            min={0}
            allowNegative={false}
            value={draft.limits[limit]}
            error={at[limit] ?? (refused === limit ? at.settings : undefined)}
            onChange={(seconds) => set({ limits: { ...draft.limits, [limit]: seconds } })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  )
}
