import { Group, NumberInput, Stack, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { numberOrNothing } from '../run/optional-fields.ts'
import { NewChatButton } from './new-chat-button.tsx'
import { useConversation } from './use-conversation.ts'

export function ChatParameters() {
  const { t } = useTranslation()
  const [{ settings }, conversation] = useConversation()
  const isNarrow = useMediaQuery('(max-width: 900px)', false)
  return (
    <Stack gap="md">
      <Textarea
        label={t('playground.system')}
        placeholder={t('playground.systemPlaceholder')}
        autosize
        minRows={3}
        maxRows={10}
        value={settings.system}
        onChange={(event) => conversation.configure({ system: event.currentTarget.value })}
      />
      <Group grow gap={8}>
        <NumberInput
          label={t('playground.temperature')}
          placeholder={t('playground.notSent')}
          min={0}
          max={2}
          step={0.1}
          decimalScale={2}
          value={settings.temperature}
          onChange={(value) => conversation.configure({ temperature: numberOrNothing(value) })}
        />
        <NumberInput
          label={t('playground.maxTokens')}
          placeholder={t('playground.notSent')}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          value={settings.maxTokens}
          onChange={(value) => conversation.configure({ maxTokens: numberOrNothing(value) })}
        />
      </Group>
      {!isNarrow && <NewChatButton />}
    </Stack>
  )
}
