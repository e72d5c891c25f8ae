import { type Attachment, newId } from './chat-record.ts'

/** Bytes of all files of a message: the gateway takes 64 MiB from the page, and base64 is a third longer. */
export const MOST_BYTES = 45 * 1024 * 1024

const texts =
  /^text\/|^application\/(json|xml|yaml|x-yaml|toml|javascript|typescript)|\+(json|xml)$/

/** Bytes in which a file shows that it is no text. */
const LOOK = 64 * 1024

/** Types lie: to browsers a `.ts` file is a film. */
async function isText(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, LOOK).arrayBuffer())
  if (bytes.length === 0 || bytes.includes(0)) return false
  try {
    // As a stream: the look may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The letters of other texts would be garbled. In pieces: a file may be large. */
export async function isUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; at < file.size; at += LOOK) {
      const piece = await file.slice(at, at + LOOK).arrayBuffer()
      decoder.decode(piece, { stream: at + LOOK < file.size })
    }
    return true
  } catch {
    return false
  }
}

/** Null for a file that no model is sent. */
export async function kindOf(file: File): Promise<Attachment['kind'] | null> {
  const { type } = file
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return 'image'
  if (type === 'application/pdf') return 'document'
  if (type.startsWith('audio/')) return 'audio'
  return texts.test(type) || (await isText(file)) ? 'text' : null
}

export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  }
  return btoa(text)
}

const textIn = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)))

export const attachmentOf = (file: File, kind: Attachment['kind']): Attachment => ({
  ...{ id: newId(), kind, name: file.name, size: file.size },
  type: kind === 'text' && !texts.test(file.type) ? 'text/plain' : file.type,
})

/** The part of a chat message that holds the file. */
export function filePart({ kind, name, type }: Attachment, data: string): Record<string, unknown> {
  switch (kind) {
    case 'image':
      return { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }
    case 'audio': {
      const format = /wav/.test(type) ? 'wav' : /mpeg|mp3/.test(type) ? 'mp3' : type.slice(6)
      return { type: 'input_audio', input_audio: { data, format } }
    }
    case 'document':
      return {
        type: 'file',
        file: { filename: name, file_data: `data:${type};base64,${data}` },
      }
    case 'text':
      return { type: 'text', text: `${name}:\n\n${textIn(data)}` }
  }
}
