import { randomFrom } from '../reply/random-from.ts'
import { wordsOf } from '../reply/words-of.ts'

/** Samples a second, as OpenAI's and Google's speech has them. */
export const TONE_RATE = 24_000

/** Seconds of a note for each character of its word, and of the rest after it. */
const A_CHARACTER = 0.05
const REST = 0.04
/** No speech is longer, in seconds. */
const LONGEST = 30
/** Seconds of fade at a note's beginning and end, so that it doesn't click. */
const FADE = 0.01
const LOUDNESS = 0.3 * 32_767
/** A scale in which any notes go together, in half tones. */
const SCALE = [0, 2, 4, 7, 9, 12] as const
const LOWEST = 220

export interface Tone {
  /** 16-bit little-endian samples of one channel, `TONE_RATE` a second. */
  samples: Buffer
  seconds: number
}

function writeNote(samples: Buffer, at: number, length: number, pitch: number): void {
  const fade = Math.min(FADE * TONE_RATE, length / 2)
  for (let index = 0; index < length; index++) {
    const swell = Math.min(1, index / fade, (length - index) / fade)
    const wave = Math.sin((2 * Math.PI * pitch * index) / TONE_RATE)
    samples.writeInt16LE(Math.round(LOUDNESS * swell * wave), (at + index) * 2)
  }
}

/**
 * A text as a melody: one short note a word, longer for longer words, its pitch by the word, in the range of
 * `voice`. `speed` 2 is twice as fast.
 */
export function toneOf(text: string, voice: string, speed: number): Tone {
  const words = wordsOf(text)
  const notes = words.length > 0 ? words : ['-']
  const asked = notes.reduce((sum, word) => sum + word.length * A_CHARACTER + REST, 0) / speed
  const scale = Math.min(1, LONGEST / asked) / speed
  const root = LOWEST * 2 ** (Math.floor(randomFrom(`voice ${voice}`)() * 12) / 12)
  const plan = notes.map((word) => ({
    note: Math.floor(word.length * A_CHARACTER * scale * TONE_RATE),
    rest: Math.floor(REST * scale * TONE_RATE),
    step: SCALE[Math.floor(randomFrom(`note ${word}`)() * SCALE.length)] ?? 0,
  }))
  const total = plan.reduce((sum, { note, rest }) => sum + note + rest, 0)
  const samples = Buffer.alloc(total * 2)
  let at = 0
  for (const { note, rest, step } of plan) {
    writeNote(samples, at, note, root * 2 ** (step / 12))
    at += note + rest
  }
  return { samples, seconds: total / TONE_RATE }
}
