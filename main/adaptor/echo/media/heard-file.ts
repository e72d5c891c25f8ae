import type { LocalFile, LocalRequest } from '../../adaptor.ts'
import { refuse } from '../echo-endpoint.ts'
import { wavSeconds } from './wav.ts'

/** A compressed voice of ordinary quality, in bytes a second. */
const VOICE_BYTES = 16_000

/** A sound file, as far as Echo understands it. */
export interface HeardFile {
  /** Texts that Echo takes for its transcript. */
  text: string
  /** How long it plays; by its size where it is no WAV. */
  seconds: number
}

const timeOf = (seconds: number): string => `${Number(seconds.toFixed(2))} s`

function describe({ filename, contentType, bytes }: LocalFile, wav: number | null): string {
  const facts = [contentType, `${bytes.length} bytes`, ...(wav === null ? [] : [timeOf(wav)])]
  return `Echo: got ${filename || 'a file without a name'} (${facts.join(', ')}).`
}

/** The form's sound file. Throws `EchoRefusal` where there is none, or an empty one. */
export function hear({ files }: LocalRequest): HeardFile {
  const file = files.find(({ field }) => field === 'file')
  if (!file) return refuse('file', 'must be a file')
  if (file.bytes.length === 0) return refuse('file', 'must not be empty')
  const wav = wavSeconds(file.bytes)
  return { text: describe(file, wav), seconds: wav ?? file.bytes.length / VOICE_BYTES }
}
