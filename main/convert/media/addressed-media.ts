import type {
  ExchangeRequest,
  MediaKind,
  MediaPart,
  MediaSource,
  Part,
  Turn,
  WireFormat,
} from '../exchange.ts'
import type { ModelRules } from '../model/model-rules.ts'

/** A file that a call names by its URL, and that its upstream takes as data only. */
export interface AddressedMedia {
  /** As the client wrote it: http or https. */
  url: string
  kind: MediaKind
  /** What the client says that it is, or null. */
  mediaType: string | null
  /** Where the URL stands in the client's body: `messages[2].content[1].image_url.url`. */
  path: string
}

/** A file's content, and what it has turned out to be. */
export interface FetchedMedia {
  kind: MediaKind
  source: MediaSource
}

/** What each format holds as data; of anything else its encoder refuses the address, too. */
const held: Readonly<Record<WireFormat, readonly MediaKind[]>> = {
  chat: ['image', 'document', 'audio'],
  messages: ['image', 'document'],
  'generate-content': ['image', 'document', 'audio', 'video'],
  responses: ['image', 'document', 'audio'],
}

/**
 * Does the upstream fetch it itself? OpenAI's formats take pictures' addresses, Responses a document's too;
 * Anthropic's and Google's those that begin with https
 * (https://docs.anthropic.com/en/docs/build-with-claude/vision,
 * https://ai.google.dev/gemini-api/docs/file-input-methods).
 */
function takesAddress(
  kind: MediaKind,
  url: string,
  format: WireFormat,
  rules: ModelRules,
): boolean {
  if (!rules.urlMedia) return false
  if (format === 'chat') return kind === 'image'
  if (format === 'responses') return kind === 'image' || kind === 'document'
  return /^https:/i.test(url)
}

/** Where a part of each format holds its address. */
function fieldOf({ kind }: MediaPart, origin: ExchangeRequest['origin']): string {
  if (origin === 'messages') return 'source.url'
  if (origin === 'generate-content') return 'fileData.fileUri'
  if (origin === 'responses') return kind === 'document' ? 'file_url' : 'image_url'
  return kind === 'document' ? 'file.file_data' : `${kind === 'video' ? 'video' : 'image'}_url.url`
}

const keyOf = (kind: MediaKind, url: string): string => `${kind} ${url}`

/**
 * The files that have to be fetched before a request can be encoded for an upstream, each address once. Those
 * in a system prompt are not among them: it holds text only.
 */
export function addressedMedia(
  request: Pick<ExchangeRequest, 'turns' | 'origin'>,
  format: WireFormat,
  rules: ModelRules,
): AddressedMedia[] {
  if (request.origin === format) return []
  let found: Map<string, AddressedMedia> | null = null
  const look = (part: Part) => {
    if (part.type === 'result') {
      for (const inner of part.parts) look(inner)
      return
    }
    if (part.type !== 'media' || part.source.type !== 'url') return
    const { kind, source } = part
    const { url, mediaType } = source
    if (!held[format].includes(kind) || !/^https?:/i.test(url)) return
    if (takesAddress(kind, url, format, rules)) return
    const path = [part.at, fieldOf(part, request.origin)].filter(Boolean).join('.')
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
