import { type Attachment, newId } from './chat-record.ts'

/** Bytes of all files of a message: the gateway takes 64 MiB from the page, and base64 is a third longer. */
export const MOST_BYTES = 45 * 1024 * 1024

const texts =
  /^text\/|^application\/(json|xml|yaml|x-yaml|toml|javascript|typescript)|\+(json|xml)$/

/** Null for a file that no model is sent. */
export function kindOf({ type, name }: Pick<File, 'type' | 'name'>): Attachment['kind'] | null {
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return 'image'
  if (type === 'application/pdf') return 'document'
  if (type.startsWith('audio/')) return 'audio'
  if (texts.test(type) || (type === '' && /\.\w{1,8}$/.test(name))) return 'text'
  return null
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
  type: file.type || 'text/plain',
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
