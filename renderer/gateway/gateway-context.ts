import { createContext, useContext } from 'react'
import type { GatewayClient } from './client.ts'

const GatewayContext = createContext<GatewayClient | null>(null)

export const GatewayProvider = GatewayContext.Provider

export function useGateway(): GatewayClient {
  const client = useContext(GatewayContext)
  if (!client) throw new Error('useGateway is called outside of GatewayProvider')
  return client
}
