import { useSyncExternalStore } from 'react'
import type { GatewayClient } from '../../../gateway/client.ts'
import { useGateway } from '../../../gateway/gateway-context.ts'
import { Conversation } from './conversation.ts'
import type { ConversationState } from './conversation-state.ts'

const conversations = new WeakMap<GatewayClient, Conversation>()

/** One conversation per console, kept across visits of the page. */
export function useConversation(): [ConversationState, Conversation] {
  const client = useGateway()
  const conversation = conversations.get(client) ?? new Conversation(client)
  conversations.set(client, conversation)
  return [useSyncExternalStore(conversation.subscribe, conversation.read), conversation]
}
