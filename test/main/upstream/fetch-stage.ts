import { onTestFinished } from 'vitest'
import { type FetchRules, UserFetch, type UserRequest } from '../../../main/upstream/user-fetch.ts'
import {
  type Handler,
  type ScriptedUpstream,
  startUpstream,
} from '../../support/upstreams/scripted-upstream.ts'

/** A fetcher that may ask this machine, and nothing else, as if that were the internet. */
export const fetcher = (rules: Partial<FetchRules> = {}): UserFetch =>
  new UserFetch({
    mayAsk: (address) => address === '127.0.0.1',
    ports: () => [],
    leadsHere: () => false,
    ownPort: () => 0,
    isOwnAddress: () => false,
    ...rules,
  })

/** Limits that no test reaches that does not set them. */
export const asked = (url: string, fields: Partial<UserRequest> = {}): UserRequest => ({
  url,
  audience: 'anyone',
  timeLimit: 20_000,
  sizeLimit: 1_000_000,
  ...fields,
})

/** A server that ends with its test. */
export async function startServer(handler?: Handler): Promise<ScriptedUpstream> {
  const server = await startUpstream(handler)
  onTestFinished(() => server.close())
  return server
}

/** Why the fetch failed. */
export const failureOf = async (fetching: Promise<unknown>): Promise<string> => {
  const error = await fetching.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof Error ? error.message : `nothing: ${String(error)}`
}
