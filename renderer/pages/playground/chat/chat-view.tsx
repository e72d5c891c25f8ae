import { useEffect } from 'react'
import { Composer } from './composer.tsx'
import { Thread } from './thread.tsx'
import { useConversation } from './use-conversation.ts'

export function ChatView({ model }: { model: string }) {
  const [{ settings }, conversation] = useConversation()
  const isChosen = settings.model === model

  useEffect(() => {
    if (!isChosen) conversation.configure({ model })
  }, [isChosen, model, conversation])

  return (
    <>
      <Thread />
      <Composer />
    </>
  )
}
