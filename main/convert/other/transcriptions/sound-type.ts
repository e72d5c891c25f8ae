import type { BridgeFile } from '../bridge.ts'

/** Google's media type for a label or an ending: https://ai.google.dev/gemini-api/docs/audio */
const types = new Map(
  Object.entries({
    wav: 'audio/wav',
    wave: 'audio/wav',
    'x-wav': 'audio/wav',
    'vnd.wave': 'audio/wav',
    mp3: 'audio/mp3',
    mpeg: 'audio/mp3',
    mpga: 'audio/mp3',
    mpeg3: 'audio/mp3',
    m4a: 'audio/m4a',
    'x-m4a': 'audio/m4a',
    mp4: 'audio/m4a',
    aac: 'audio/aac',
    'x-aac': 'audio/aac',
    aiff: 'audio/aiff',
    'x-aiff': 'audio/aiff',
    aif: 'audio/aiff',
    ogg: 'audio/ogg',
    oga: 'audio/ogg',
    opus: 'audio/ogg',
    flac: 'audio/flac',
    'x-flac': 'audio/flac',
    webm: 'audio/webm',
  }),
)

/** Signatures in a file's first bytes, with their offsets. */
const signatures: readonly [offset: number, start: string, type: string][] = [
  [8, 'WAVE', 'audio/wav'],
  [0, 'ID3', 'audio/mp3'],
  [0, 'fLaC', 'audio/flac'],
  [0, 'OggS', 'audio/ogg'],
  [8, 'AIFF', 'audio/aiff'],
  [8, 'AIFC', 'audio/aiff'],
  [4, 'ftyp', 'audio/m4a'],
  [0, '\x1a\x45\xdf\xa3', 'audio/webm'],
  [0, '\xff\xf1', 'audio/aac'],
  [0, '\xff\xf9', 'audio/aac'],
  [0, '\xff\xfb', 'audio/mp3'],
  [0, '\xff\xfa', 'audio/mp3'],
  [0, '\xff\xf3', 'audio/mp3'],
  [0, '\xff\xf2', 'audio/mp3'],
]

const typeOfStart = (bytes: Buffer): string | undefined =>
  signatures.find(([offset, start]) => {
    const wanted = Buffer.from(start, 'latin1')
    return bytes.subarray(offset, offset + wanted.length).equals(wanted)
  })?.[2]

/**
 * A recording's type: by the type that its part names, else by its ending, else by its first bytes. Films,
 * as browsers call what they record, are taken for their sound. Undefined where nothing tells.
 */
export function soundTypeOf({ contentType, filename, bytes }: BridgeFile): string | undefined {
  const label = /^\s*(?:audio|video)\/([\w.-]+)/i.exec(contentType)?.[1]?.toLowerCase()
  const ending = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return types.get(label ?? '') ?? types.get(ending ?? '') ?? typeOfStart(bytes)
}
