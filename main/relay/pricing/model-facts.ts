import { modelName } from '../../convert/model/model-name.ts'
import table from './model-facts.json' with { type: 'json' }

/** Facts of a model from its vendor's pages; an unknown number is null, never a guess. */
export interface ModelFacts {
  /** As its vendor writes it; the id where nothing is known. */
  displayName: string
  /** Tokens that it holds at once, answer included. */
  contextWindow: number | null
  /** Most tokens of input, where the vendor sets them below the context window; else that. */
  maxInput: number | null
  /** Most tokens of an answer. */
  maxOutput: number | null
  /** Whether it calls a client's functions over its vendor's API; null where that is not known. */
  callsTools: boolean | null
  /** Whether it takes images in a conversation; null where that is not known. */
  takesImages: boolean | null
  /** Fewest tokens of a prompt that its vendor caches when asked to; absent where that is not known. */
  cacheMinimum?: number
}

interface FactRow {
  /** The name as modelName spells it; `*` at its end stands for whatever follows. */
  match: string
  name: string
  context?: number
  input?: number
  output?: number
  /** This and the next only of models of conversations. */
  tools?: boolean
  images?: boolean
  cacheMinimum?: number
}

interface FactFamily {
  /** The vendor's page, and the day on which its models were looked up. */
  source: string
  read: string
  /** Pages that say which of them call tools. */
  toolsSources?: string[]
  /** Pages that say which of them take images. */
  imagesSources?: string[]
  /**
   * Others serve these models too, under paths and tags of their own (`org/name`, `name:8b`) and with
   * other limits: the numbers hold for the vendor's own spelling only.
   */
  ownNameOnly?: boolean
  models: FactRow[]
}

/** The table as data: a test checks its names and numbers, so nothing is checked at run time. */
export const factsTable: { families: readonly FactFamily[] } = table

interface KnownModel {
  row: FactRow
  ownNameOnly: boolean
}

const exact = new Map<string, KnownModel>()
const beginnings: { start: string; known: KnownModel }[] = []
for (const { models, ownNameOnly = false } of factsTable.families) {
  for (const row of models) {
    const known = { row, ownNameOnly }
    if (row.match.endsWith('*')) beginnings.push({ start: row.match.slice(0, -1), known })
    else exact.set(row.match, known)
  }
}
// The longest says most.
beginnings.sort((one, other) => other.start.length - one.start.length)

const unknown = {
  ...{ contextWindow: null, maxInput: null, maxOutput: null },
  ...{ callsTools: null, takesImages: null },
}

/** The facts of a model, under any path, region, date or tag that a vendor or reseller lists it by. */
export function modelFacts(id: string): ModelFacts {
  const name = modelName(id)
  const known = exact.get(name) ?? beginnings.find(({ start }) => name.startsWith(start))?.known
  if (known === undefined) return { displayName: id, ...unknown }
  const { row, ownNameOnly } = known
  if (ownNameOnly && id.toLowerCase() !== name) return { displayName: row.name, ...unknown }
  const { context = null, input = context, output = null, cacheMinimum } = row
  return {
    ...{ displayName: row.name, contextWindow: context, maxInput: input, maxOutput: output },
    ...{ callsTools: row.tools ?? null, takesImages: row.images ?? null },
    ...(cacheMinimum === undefined ? {} : { cacheMinimum }),
  }
}
