import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import type { GatewayClient } from '../../gateway/client.ts'
import { useGateway } from '../../gateway/gateway-context.ts'
import type { CatalogueEntry } from '../../gateway/records.ts'
import { type Mode, modesOf } from './modes.ts'

interface Selection {
  entry: CatalogueEntry | undefined
  /** Null when the playground has no mode for the model. */
  mode: Mode | null
  chooseModel(id: string): void
  chooseMode(mode: Mode): void
}

const lastChosen = new WeakMap<GatewayClient, { model: string; mode: Mode | null }>()

/**
 * The model and mode of the URL (`?model=…&mode=…`), else of the last visit, else the first. A mode that
 * the model lacks is replaced by one it has.
 */
export function useSelection(entries: readonly CatalogueEntry[]): Selection {
  const client = useGateway()
  const [query, setQuery] = useSearchParams()
  const last = lastChosen.get(client)
  const wantedMode = query.get('mode') ?? last?.mode
  const wantedModel = query.get('model') ?? (query.has('mode') ? undefined : last?.model)
  const hasWantedMode = (entry: CatalogueEntry) => modesOf(entry).some((one) => one === wantedMode)
  const entry =
    entries.find(({ id }) => id === wantedModel) ?? entries.find(hasWantedMode) ?? entries[0]
  const modes = entry ? modesOf(entry) : []
  const mode = modes.find((one) => one === wantedMode) ?? modes[0] ?? null

  useEffect(() => {
    if (entry) lastChosen.set(client, { model: entry.id, mode })
  }, [client, entry, mode])

  const choose = useCallback(
    (model: string, chosen: Mode | null) =>
      setQuery({ model, ...(chosen && { mode: chosen }) }, { replace: true }),
    [setQuery],
  )
  const chooseModel = useCallback(
    (id: string) => {
      const next = entries.find((one) => one.id === id)
      const nextModes = next ? modesOf(next) : []
      choose(id, nextModes.find((one) => one === mode) ?? nextModes[0] ?? null)
    },
    [choose, entries, mode],
  )
  return {
    ...{ entry, mode, chooseModel },
    chooseMode: (chosen) => choose(entry?.id ?? '', chosen),
  }
}
