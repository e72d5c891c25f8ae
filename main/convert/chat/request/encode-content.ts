import type { RequestTarget } from '../../conversion.ts'
import type { CacheMark, MediaPart, NativePart, TextPart, WireFormat } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { isReadable, toDataUrl } from '../../media/media.ts'

/** OpenAI's limit for a request. */
const MOST_MARKS = 4

/** OpenAI's times to keep for Anthropic's: what is asked for at least, or the vendor's default. */
const ttls: Readonly<Record<string, string | null>> = { '5m': null, '1h': '12h' }

const soundFormats: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

const textPart = (text: string): JsonObject => ({ type: 'text', text })

/** Writes the parts of one request's messages: counts its cache marks and notes what does not fit. */
export class ContentEncoder {
  readonly #target: RequestTarget
  readonly #isFromChat: boolean
  readonly #markField: string
  #marks = 0
  #firstMark: string | null = null

  constructor(target: RequestTarget, origin: WireFormat) {
    this.#target = target
    this.#isFromChat = origin === 'chat'
    this.#markField = origin === 'messages' ? 'cache_control' : 'prompt_cache_breakpoint'
  }

  /** The parts for a text, file or foreign piece; empty for what is left out. */
  encode(part: TextPart | MediaPart | NativePart): JsonObject[] {
    const fields =
      part.type === 'text'
        ? this.#encodeText(part)
        : part.type === 'media'
          ? this.#encodeMedia(part)
          : this.#encodeNative(part)
    const last = fields.at(-1)
    if (last) Object.assign(last, this.mark(part))
    return fields
  }

  /** A part's mark for the vendor's cache, as fields of the part. */
  mark({ at, cacheMark }: { at?: string; cacheMark?: CacheMark }): JsonObject {
    if (!cacheMark) return {}
    const { rules, loss } = this.#target
    // Clients mark many parts of every call: the first one tells of all.
    this.#firstMark ??= `${at ?? loss.field('turns')}.${this.#markField}`
    if (!rules.cacheMarks) {
      loss.drop(this.#firstMark, 'no_marks_needed')
      return {}
    }
    this.#marks++
    if (this.#marks > MOST_MARKS) {
      loss.drop(this.#firstMark, { code: 'marks_at_most', most: MOST_MARKS })
      return {}
    }
    const known = cacheMark.ttl === null ? null : ttls[cacheMark.ttl]
    const ttl = known === undefined ? cacheMark.ttl : known
    if (ttl !== cacheMark.ttl) {
      loss.approximate(this.#firstMark, 'marks_other_times')
    }
    return { prompt_cache_breakpoint: { mode: 'explicit', ...(ttl === null ? {} : { ttl }) } }
  }

  #at(part: { at?: string }): string {
    return part.at ?? this.#target.loss.field('turns')
  }

  #encodeText(part: TextPart): JsonObject[] {
    const { loss } = this.#target
    if (part.citations && part.citations.length > 0) {
      loss.drop(this.#at(part), 'citations_text_stays')
    }
    if (part.text === '') return []
    return [{ ...loss.native(part.native, 'chat', part.at), ...textPart(part.text) }]
  }

  #encodeMedia(part: MediaPart): JsonObject[] {
    const { loss } = this.#target
    const own = loss.native(part.native, 'chat', part.at)
    if (part.citations) loss.approximate(this.#at(part), 'without_citations')
    if (part.source.type === 'text') return [textPart(this.#heading(part) + part.source.text)]
    switch (part.kind) {
      case 'image':
        return [{ ...own, ...this.#encodeImage(part) }]
      case 'audio':
        return [{ ...own, ...this.#encodeSound(part) }]
      case 'video':
        return [{ ...own, ...this.#encodeFilm(part) }]
      case 'document':
        return this.#encodeDocument(part, own)
    }
  }

  /** A document's title and context, which Chat has no fields for. */
  #heading({ title, filename, context }: MediaPart): string {
    const lines = [title ?? filename, context].filter((line) => line !== undefined && line !== '')
    return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
  }

  #encodeImage(part: MediaPart): JsonObject {
    const { loss } = this.#target
    const detail = part.detail === 'original' ? 'high' : part.detail
    if (detail !== part.detail) loss.approximate(this.#at(part), 'detail_as_high')
    return {
      type: 'image_url',
      image_url: { url: this.#url(part), ...(detail === undefined ? {} : { detail }) },
    }
  }

  #url(part: MediaPart): string {
    const { rules, loss } = this.#target
    const { source } = part
    if (source.type === 'base64') return toDataUrl(source.mediaType, source.data)
    if (source.type === 'url') {
      if (rules.urlMedia || this.#isFromChat) return source.url
      return loss.refuse(this.#at(part), 'must_be_data')
    }
    return loss.refuse(this.#at(part), 'file_of_other_vendor')
  }

  #encodeSound(part: MediaPart): JsonObject {
    const { loss } = this.#target
    const { source } = part
    if (source.type !== 'base64') {
      return loss.refuse(this.#at(part), 'sound_must_be_data')
    }
    const format = soundFormats[source.mediaType.split(';', 1)[0] ?? '']
    const own = this.#isFromChat ? source.mediaType.replace('audio/', '') : undefined
    if (format === undefined && own === undefined) {
      return loss.refuse(this.#at(part), { code: 'must_be_either_here', values: ['wav', 'mp3'] })
    }
    return { type: 'input_audio', input_audio: { data: source.data, format: format ?? own } }
  }

  #encodeFilm(part: MediaPart): JsonObject {
    if (this.#isFromChat) return { type: 'video_url', video_url: { url: this.#url(part) } }
    return this.#target.loss.refuse(this.#at(part), 'no_video')
  }

  #encodeDocument(part: MediaPart, own: JsonObject): JsonObject[] {
    const { rules, loss } = this.#target
    const { source } = part
    // Responses is another door of OpenAI's to the same files.
    const isAtOpenAi = source.type === 'file' && source.origin === 'responses' && rules.openaiFields
    if (source.type === 'file' && (source.origin === 'chat' || isAtOpenAi)) {
      const name = part.filename === undefined ? {} : { filename: part.filename }
      return [{ ...own, type: 'file', file: { file_id: source.id, ...name } }]
    }
    if (source.type === 'url') {
      return loss.refuse(this.#at(part), 'must_be_data_document')
    }
    if (source.type !== 'base64') return [{ type: 'file', file: { file_data: this.#url(part) } }]
    if (isReadable(source.mediaType) && !this.#isFromChat) {
      const text = Buffer.from(source.data, 'base64').toString('utf8')
      return [textPart(this.#heading(part) + text)]
    }
    const filename = part.filename ?? (part.title ? part.title : undefined)
    const file = { file_data: this.#url(part), filename: filename ?? 'document.pdf' }
    const context = part.context ? [textPart(part.context)] : []
    return [...context, { ...own, type: 'file', file }]
  }

  /** A piece of another format that the exchange has no word for. */
  #encodeNative(part: NativePart): JsonObject[] {
    if (part.origin === 'chat') return [{ ...part.value }]
    this.#target.loss.drop(this.#at(part), 'nothing_like_it')
    return []
  }
}
