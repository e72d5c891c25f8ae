import { asArray, asObject, asText } from '../json-access.ts'

const mediaWord = (kind: string): string => {
  if (/image/.test(kind)) return '(an image)'
  if (/audio/.test(kind)) return '(a sound)'
  return /video/.test(kind) ? '(a video)' : '(a file)'
}

/** Text of one part, or a word for what it holds; null for what nobody said (a tool call, a thought). */
function partText(value: unknown): { text: string } | { media: string } | null {
  if (typeof value === 'string') return { text: value }
  const part = asObject(value)
  if (typeof part.text === 'string') return part.thought === true ? null : { text: part.text }
  const inline = asObject(
    part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data ?? {},
  )
  const mime = asText(inline.mimeType ?? inline.mime_type)
  if (mime !== '') return { media: mediaWord(mime) }
  const type = asText(part.type)
  return /image|audio|video|file|document/.test(type) ? { media: mediaWord(type) } : null
}

/**
 * Summary of a message's content: its last text, and a word for each picture or file. Only the last
 * text, because agents put notes of their own into the parts before it.
 */
export function spokenText(content: unknown): string {
  const parts = (typeof content === 'string' ? [content] : asArray(content)).map(partText)
  const media = parts.flatMap((part) => (part && 'media' in part ? [part.media] : []))
  const texts = parts.flatMap((part) => (part && 'text' in part ? [part.text] : []))
  const last = texts.at(-1)?.trim()
  return [...media, ...(last ? [last] : [])].join(' ')
}

/** All texts of a tool's result. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = asArray(content).map((part) => asText(asObject(part).text))
  const joined = texts.filter((text) => text !== '').join(' ')
  return joined || (content ? JSON.stringify(content) : '')
}
