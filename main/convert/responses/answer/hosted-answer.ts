import { ownValue } from '../../../base/own-value.ts'
import type { HostedPart, MediaPart } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import type { ItemKind } from '../item-ids.ts'

/** An item's fields beside its id, and the id's prefix. */
export interface HostedItem {
  kind: ItemKind
  fields: JsonObject
}

const search = (queries: readonly string[]): HostedItem => ({
  kind: 'ws',
  fields: {
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: queries[0] ?? '', queries },
  },
})

const code = (source: string): HostedItem => ({
  kind: 'ci',
  fields: {
    type: 'code_interpreter_call',
    status: 'completed',
    code: source,
    container_id: '',
    outputs: null,
  },
})

/**
 * Another vendor's tool call, as the closest item here: what was searched for, opened or run.
 * Null for its results, of which the answer's text and citations tell.
 */
export function hostedAnswer({ value, tool }: HostedPart): HostedItem | null {
  // Anthropic.
  if (value.type === 'server_tool_use') {
    const input = asObject(value.input) ?? {}
    if (tool === 'web-search') return search([asString(input.query) ?? ''])
    if (tool === 'web-fetch') {
      const action = { type: 'open_page', url: asString(input.url) ?? null }
      return { kind: 'ws', fields: { type: 'web_search_call', status: 'completed', action } }
    }
    if (tool === 'code-execution') {
      return code(asString(input.code) ?? asString(input.command) ?? '')
    }
    return null
  }
  // Google.
  const executable = asObject(value.executableCode) ?? asObject(value.executable_code)
  if (executable) return code(asString(executable.code) ?? '')
  const grounding = asObject(value.groundingMetadata)
  const queries = asArray(grounding?.webSearchQueries).filter((one) => typeof one === 'string')
  return queries.length > 0 ? search(queries as string[]) : null
}

/** An image that a model made, as the item of the vendor's own image tool. Null for other media. */
export function imageAnswer({ kind, source }: MediaPart): HostedItem | null {
  if (kind !== 'image' || source.type !== 'base64') return null
  const format = source.mediaType.replace(/^image\//, '')
  return {
    kind: 'ig',
    fields: {
      type: 'image_generation_call',
      status: 'completed',
      output_format: format,
      result: source.data,
    },
  }
}

/** Events by which clients follow what the vendor's tools do; all of them are known to its SDKs. */
const stages: Readonly<Record<string, readonly string[]>> = {
  web_search_call: ['in_progress', 'searching', 'completed'],
  file_search_call: ['in_progress', 'searching', 'completed'],
  image_generation_call: ['in_progress', 'generating', 'completed'],
  code_interpreter_call: ['in_progress', 'interpreting', 'completed'],
}

export const stagesOf = (type: string): readonly string[] => ownValue(stages, type) ?? []
