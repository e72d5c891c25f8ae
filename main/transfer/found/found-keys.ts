import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { GatewayError } from '../../base/errors.ts'
import { READ_AT_ONCE } from '../../base/open-flags.ts'
import { Carried } from '../from/carried.ts'
import { readVariables } from '../from/vendor/read-variables.ts'
import type { ChannelDraft, Foreign } from '../transfer.ts'
import { type KeyPlace, keyPlaces, type Machine } from './key-places.ts'

/** Bytes; configuration files of tools have a few thousand. */
const LARGEST = 2_000_000

/** A regular file's text; null when there is none, it can't be read, or it is larger than a configuration is. */
async function readSmallFile(path: string): Promise<string | null> {
  const file = await open(path, READ_AT_ONCE).catch(() => null)
  if (!file) return null
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > LARGEST) return null
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stat.size), 0, stat.size, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/** A key on this machine, and the channel that it would make. */
export interface FoundKey {
  /** The same on every search, as long as nothing changes; says nothing of the key. */
  id: string
  /** `Codex: /home/me/.codex/auth.json`, or the environment. */
  where: string
  /** Has this one key. */
  draft: ChannelDraft
}

/** Names the vendor's account; the same one in two places is told once. */
const accountOf = ({ type, base_url }: ChannelDraft, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([type, base_url, key]))
    .digest('hex')
    .slice(0, 32)

/** A broken file of a tool is the tool's to tell; it must not hide the other places. */
async function readPlace(place: KeyPlace, machine: Machine): Promise<Foreign | null> {
  try {
    if ('database' in place) {
      const { database, path } = place
      const rows = await machine.readTables(path, database.tables)
      return rows && database.detect(rows) ? database.read(rows) : null
    }
    const text = await readSmallFile(place.path)
    return text === null ? null : place.read(text, (name) => machine.env[name])
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_params') return null
    throw error
  }
}

/** Empty for values that can't be read, such as an address that is none. */
function readEnvironment({ env }: Pick<Machine, 'env'>): ChannelDraft[] {
  const carried = new Carried()
  const set = Object.entries(env).filter((entry): entry is [string, string] => !!entry[1])
  try {
    readVariables(new Map(set), carried)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
  }
  return carried.foreign().transfer.channels ?? []
}

/**
 * Keys in the environment and in the files of tools that are known to hold them. Here alone variables are
 * looked up in the environment: the owner asks for a search of this machine. Nothing is kept or changed.
 */
export async function findKeys(machine: Machine): Promise<FoundKey[]> {
  const found = new Map<string, FoundKey>()
  const add = (where: string, drafts: readonly ChannelDraft[]) => {
    for (const draft of drafts) {
      for (const key of draft.keys) {
        const id = accountOf(draft, key)
        if (!found.has(id)) found.set(id, { id, where, draft: { ...draft, keys: [key] } })
      }
    }
  }
  add('Environment', readEnvironment(machine))
  for (const place of keyPlaces(machine)) {
    const foreign = await readPlace(place, machine)
    if (foreign) add(`${place.tool}: ${place.path}`, foreign.transfer.channels ?? [])
  }
  return [...found.values()]
}
