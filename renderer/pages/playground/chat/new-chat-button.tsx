import { ActionIcon, Button } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useConversation } from './use-conversation.ts'

export function NewChatButton({ small }: { small?: boolean }) {
  const { t } = useTranslation()
  const [{ turns }, conversation] = useConversation()
  const isEmpty = turns.length === 0
  return small ? (
    <ActionIcon
      variant="default"
      size={30}
      disabled={isEmpty}
      onClick={() => conversation.clear()}
      aria-label={t('playground.newChat')}
    >
      <IconMessagePlus size={16} />
    </ActionIcon>
  ) : (
    <Button
      variant="default"
      leftSection={<IconMessagePlus size={14} />}
      disabled={isEmpty}
      onClick={() => conversation.clear()}
    >
      {t('playground.newChat')}
    </Button>
  )
}
