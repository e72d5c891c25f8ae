import { googleField, googleObject } from '../google-field.ts'
import { asArray, asText, type Json } from '../json-access.ts'
import type { EchoReply } from '../reply/echo-reply.ts'
import { drawnSize, drawPicture, pictureTokens } from './picture.ts'
import { TONE_RATE, toneOf } from './tone.ts'

/** Tokens for a second of sound: https://ai.google.dev/gemini-api/docs/speech-generation */
const TOKENS_A_SECOND = 25
const LARGE = 1024

/** Sound or a picture in place of, or beside, an answer's text. */
export interface GoogleMedia {
  modality: 'AUDIO' | 'IMAGE'
  part: Json
  tokens: number
  /** Is the text left out? A speech model answers with sound alone. */
  replacesText: boolean
}

const inline = (mimeType: string, data: Buffer): Json => ({
  inlineData: { mimeType, data: data.toString('base64') },
})

function speak(text: string, config: Json): GoogleMedia {
  const voice = googleObject(googleObject(config, 'speechConfig'), 'voiceConfig')
  const name = asText(googleField(googleObject(voice, 'prebuiltVoiceConfig'), 'voiceName'))
  const { samples, seconds } = toneOf(text, name, 1)
  return {
    modality: 'AUDIO',
    part: inline(`audio/L16;codec=pcm;rate=${TONE_RATE}`, samples),
    tokens: Math.ceil(seconds * TOKENS_A_SECOND),
    replacesText: true,
  }
}

function draw(text: string, config: Json): GoogleMedia {
  const ratio = asText(googleField(googleObject(config, 'imageConfig'), 'aspectRatio'))
  const [, wide = '1', high = '1'] = /^(\d{1,2}):(\d{1,2})$/.exec(ratio) ?? []
  const size = drawnSize({
    width: LARGE * Math.max(1, Number(wide)),
    height: LARGE * Math.max(1, Number(high)),
  })
  return {
    modality: 'IMAGE',
    part: inline('image/png', drawPicture(text, size)),
    tokens: pictureTokens(size),
    replacesText: false,
  }
}

/** Output of Echo beside text (`responseModalities`); null for text alone. */
export function googleMedia(body: Json, { text }: EchoReply): GoogleMedia | null {
  const config = googleObject(body, 'generationConfig')
  const kinds = asArray(googleField(config, 'responseModalities')).map((kind) =>
    asText(kind).toUpperCase(),
  )
  if (kinds.includes('AUDIO')) return speak(text, config)
  return kinds.includes('IMAGE') ? draw(text, config) : null
}
