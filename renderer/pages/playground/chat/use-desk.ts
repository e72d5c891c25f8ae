import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { GatewayClient } from '../../../gateway/client.ts'
import { useGateway } from '../../../gateway/gateway-context.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { ChatDesk } from './desk/chat-desk.ts'
import { chatStoreOf } from './desk/chat-store.ts'
import type { ChatState } from './desk/desk-state.ts'

const desks = new WeakMap<GatewayClient, Map<number, Promise<ChatDesk>>>()

/** One desk per console and user, kept across visits of the page. */
function deskOf(client: GatewayClient, userId: number): Promise<ChatDesk> {
  const own = desks.get(client) ?? new Map<number, Promise<ChatDesk>>()
  desks.set(client, own)
  const known = own.get(userId)
  if (known) return known
  const opened = chatStoreOf(client, userId).then((store) => ChatDesk.open(client, store))
  own.set(userId, opened)
  return opened
}

/** Null while the conversations are read. */
export function useOpenDesk(): ChatDesk | null {
  const client = useGateway()
  const userId = useOperation('user.self', {}).data?.id
  const [desk, setDesk] = useState<ChatDesk | null>(null)

  useEffect(() => {
    if (userId === undefined) return
    let isGone = false
    void deskOf(client, userId).then((opened) => {
      if (!isGone) setDesk(opened)
    })
    return () => {
      isGone = true
    }
  }, [client, userId])

  useEffect(() => {
    if (!desk) return
    const flush = () => desk.flush()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [desk])

  return desk
}

export const DeskContext = createContext<ChatDesk | null>(null)

export function useDesk(): ChatDesk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('There is no conversation around this component.')
  return desk
}

/** A part of the state; `choose` must give the same value until that part changes. */
export function useDeskState<Part>(choose: (state: ChatState) => Part): Part {
  const desk = useDesk()
  return useSyncExternalStore(desk.subscribe, () => choose(desk.read()))
}
