import { REASONING_GAP } from '../../convert/chat/decode-reasoning.ts'
import type { MediaPart, Part, Turn } from '../../convert/exchange.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'

/** A piece of a conversation as a person reads it. */
export interface ReadingPart {
  /** `error` for the failure that came in place of an answer. */
  role: Turn['role'] | 'error'
  kind: 'text' | 'reasoning' | 'tool-call' | 'tool-result' | 'image' | 'file'
  /** For an image its address or, up to 256 KB, a `data:` URL; for another file its address or text. */
  text: string
  /** Name of a tool or file. */
  name?: string
  /** Id of a tool call and its result, where the format has ids. */
  id?: string
  /** Bytes of a file. */
  size?: number
  /** Of a tool's result: its client says that it failed. */
  failed?: true
}

/** Characters of base64 of an image that is shown. */
const SHOWN_IMAGE = 350_000

function readMedia({ kind, source, filename, title }: MediaPart): Omit<ReadingPart, 'role'> {
  const isImage = kind === 'image'
  const name = filename ?? title ?? ('mediaType' in source ? source.mediaType : null)
  const named = {
    kind: isImage ? ('image' as const) : ('file' as const),
    ...(name ? { name } : {}),
  }
  if (source.type === 'url') return { ...named, text: source.url }
  if (source.type === 'file') return { ...named, text: source.id }
  if (source.type === 'text') {
    return { ...named, text: source.text, size: Buffer.byteLength(source.text) }
  }
  const { data, mediaType } = source
  const isShown = isImage && data.length <= SHOWN_IMAGE
  const size = Buffer.byteLength(data, 'base64')
  return { ...named, text: isShown ? `data:${mediaType};base64,${data}` : '', size }
}

const idOf = (id: string | null): { id?: string } => (id === null ? {} : { id })

/** A part of a conversation, in one piece or, for a result that holds files, in several. */
export function readPart(
  part: Part,
  role: ReadingPart['role'],
  nameOfCall: (id: string) => string | undefined = () => undefined,
): ReadingPart[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [{ role, kind: 'text', text: part.text }]
    case 'reasoning':
      return [{ role, kind: 'reasoning', text: part.sections.join(REASONING_GAP) }]
    case 'call':
      return [{ role, kind: 'tool-call', name: part.name, text: part.arguments, ...idOf(part.id) }]
    case 'media':
      return [{ role, ...readMedia(part) }]
    case 'hosted':
      return [{ role, kind: 'tool-call', name: part.tool, text: stringifyExact(part.value) }]
    case 'native':
      return [{ role, kind: 'text', text: stringifyExact(part.value) }]
    case 'result': {
      const name = part.name ?? nameOfCall(part.callId ?? '')
      const texts = part.parts.filter((one) => one.type === 'text').map(({ text }) => text)
      const others = part.parts.filter((one) => one.type !== 'text')
      const text = texts.join('\n')
      const failed = part.isError ? { failed: true as const } : {}
      const result = { role, kind: 'tool-result' as const, text, ...failed, ...idOf(part.callId) }
      return [
        name === undefined ? result : { ...result, name },
        ...others.flatMap((one) => readPart(one, role)),
      ]
    }
  }
}
