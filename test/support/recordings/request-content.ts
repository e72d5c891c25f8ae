import type { ExchangeRequest, Part } from '../../../main/convert/exchange.ts'

/** A request's content, whatever its format: to compare it before and after a conversion. */
export interface RequestContent {
  /** Texts of all roles, those in results of tools too. */
  texts: string[]
  calls: { name: string; arguments: unknown }[]
  results: string[]
  /** Files: their bytes or address. */
  files: string[]
  tools: string[]
  hasSchema: boolean
}

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

function fileOf(part: Part): string[] {
  if (part.type === 'result') return part.parts.flatMap(fileOf)
  if (part.type !== 'media') return []
  const { source } = part
  if (source.type === 'base64') return [source.data]
  return [source.type === 'url' ? source.url : source.type === 'text' ? source.text : source.id]
}

export function contentOf({ turns, tools, output }: ExchangeRequest): RequestContent {
  const parts = turns.flatMap((turn) => turn.parts)
  return {
    texts: parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])),
    calls: parts.flatMap((part) =>
      part.type === 'call'
        ? [{ name: part.name, arguments: JSON.parse(part.arguments || '{}') as unknown }]
        : [],
    ),
    results: parts.flatMap((part) => (part.type === 'result' ? [textOf(part.parts)] : [])),
    files: parts.flatMap(fileOf),
    tools: tools.map(({ name }) => name),
    hasSchema: output?.type === 'schema',
  }
}
