import type { ClientConversion, Conversion } from '../conversion.ts'
import type { ExchangeRequest, MediaKind, MediaSource, Part, Turn } from '../exchange.ts'
import type { ModelRules } from '../model/model-rules.ts'

/** A file that a call names by its URL, and that its upstream takes as data only. */
export interface AddressedMedia {
  /** As the client wrote it: http or https. */
  url: string
  kind: MediaKind
  /** The client's own name, or null. */
  mediaType: string | null
  /** Where the URL stands in the client's body: `messages[2].content[1].image_url.url`. */
  path: string
}

/** A file's content, and what it has turned out to be. */
export interface FetchedMedia {
  kind: MediaKind
  source: MediaSource
}

const keyOf = (kind: MediaKind, url: string): string => `${kind} ${url}`

/**
 * The files that have to be fetched before a request can be encoded for an upstream, each address once. Those
 * in a system prompt are not among them: it holds text only.
 */
export function addressedMedia(
  request: Pick<ExchangeRequest, 'turns' | 'origin'>,
  from: Pick<ClientConversion, 'addressField'>,
  to: Pick<Conversion, 'format' | 'heldMedia' | 'takesAddress'>,
  rules: ModelRules,
): AddressedMedia[] {
  if (request.origin === to.format) return []
  let found: Map<string, AddressedMedia> | null = null
  const look = (part: Part) => {
    if (part.type === 'result') {
      for (const inner of part.parts) look(inner)
      return
    }
    if (part.type !== 'media' || part.source.type !== 'url') return
    const { kind, source } = part
    const { url, mediaType } = source
    if (!to.heldMedia.includes(kind) || !/^https?:/i.test(url)) return
    if (rules.urlMedia && to.takesAddress(kind, url)) return
    const path = [part.at, from.addressField(part)].filter(Boolean).join('.')
    found ??= new Map()
    if (!found.has(keyOf(kind, url))) found.set(keyOf(kind, url), { url, kind, mediaType, path })
  }
  for (const { role, parts } of request.turns) {
    if (role !== 'system') for (const part of parts) look(part)
  }
  return found === null ? [] : [...(found as Map<string, AddressedMedia>).values()]
}

/** Files that were fetched, by what asked for them. */
export class MediaFiles {
  readonly #files = new Map<string, FetchedMedia>()

  set({ kind, url }: Pick<AddressedMedia, 'kind' | 'url'>, file: FetchedMedia): void {
    this.#files.set(keyOf(kind, url), file)
  }

  /** The request with the files' content where their addresses stood. */
  placedIn(request: ExchangeRequest): ExchangeRequest {
    return { ...request, turns: request.turns.map((turn) => this.#turn(turn)) }
  }

  #turn(turn: Turn): Turn {
    return turn.role === 'system'
      ? turn
      : { ...turn, parts: turn.parts.map((one) => this.#part(one)) }
  }

  #part<One extends Part>(part: One): One {
    if (part.type === 'result') return { ...part, parts: part.parts.map((one) => this.#part(one)) }
    if (part.type !== 'media' || part.source.type !== 'url') return part
    const file = this.#files.get(keyOf(part.kind, part.source.url))
    return file ? { ...part, ...file } : part
  }
}
