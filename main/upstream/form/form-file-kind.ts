/** A file's media type by its first bytes. */
export interface FileKind {
  /** Without its dot, as vendors list it. */
  extension: string
  contentType: string
}

/** Bytes that identify any kind of file known here. */
export const SNIFFED_BYTES = 64

const kind = (extension: string, contentType: string): FileKind => ({ extension, contentType })

const wav = kind('wav', 'audio/wav')
const mp3 = kind('mp3', 'audio/mpeg')
const webp = kind('webp', 'image/webp')
const m4a = kind('m4a', 'audio/mp4')
const mp4 = kind('mp4', 'video/mp4')
// Recorders of browsers write sound in it; whether pictures are in it too is not told at the beginning.
const webm = kind('webm', 'audio/webm')
const mkv = kind('mkv', 'video/x-matroska')

const starts: readonly [string, FileKind][] = [
  ['fLaC', kind('flac', 'audio/flac')],
  ['OggS', kind('ogg', 'audio/ogg')],
  ['ID3', mp3],
  ['\x89PNG\r\n\x1a\n', kind('png', 'image/png')],
  ['\xff\xd8\xff', kind('jpg', 'image/jpeg')],
  ['GIF8', kind('gif', 'image/gif')],
]

/** MPEG audio without tags: eleven set bits, then a layer that is not the 0 of AAC. */
const isMpegFrame = (bytes: Buffer) =>
  bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0 && ((bytes[1] ?? 0) & 0x06) !== 0

/** The kind that the first `SNIFFED_BYTES` bytes of a file show; null where they show none that is known. */
export function fileKind(beginning: Buffer): FileKind | null {
  const text = beginning.toString('latin1', 0, SNIFFED_BYTES)
  const found = starts.find(([start]) => text.startsWith(start))
  if (found) return found[1]
  const inner = text.slice(8, 12)
  if (text.startsWith('RIFF')) return inner === 'WAVE' ? wav : inner === 'WEBP' ? webp : null
  if (text.slice(4, 8) === 'ftyp') {
    // Pictures come in the same box: HEIF and AVIF, which no endpoint of a form takes.
    if (/^(avi|hei|hev|mif|msf)/.test(inner)) return null
    return /^M4[AB]/.test(inner) ? m4a : mp4
  }
  if (text.startsWith('\x1a\x45\xdf\xa3')) {
    return text.includes('webm') ? webm : text.includes('matroska') ? mkv : null
  }
  return isMpegFrame(beginning) ? mp3 : null
}
