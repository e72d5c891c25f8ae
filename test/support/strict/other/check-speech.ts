import { dataLine } from '../answers/answer.ts'
import {
  demand,
  isObject,
  type Json,
  numberWithin,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  textAt,
} from '../requests/refusal.ts'

const VOICES = 'alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'
const OLD_VOICES = 'alloy ash coral echo fable onyx nova sage shimmer'
const FORMATS = 'mp3 opus aac flac wav pcm'

/** Refuses what OpenAI refuses at /audio/speech. */
export function checkSpeech(body: Json): void {
  onlyFields(body, '', 'model input voice instructions response_format speed stream_format')
  const isOld = textAt(body.model, 'model').startsWith('tts-1')
  const input = textAt(body.input, 'input')
  demand(input !== '', 'input', 'string too short')
  demand(input.length <= 4096, 'input', 'string too long: at most 4096 characters')
  if (isObject(body.voice)) textAt(body.voice.id, 'voice.id')
  else oneOf(body.voice, 'voice', isOld ? OLD_VOICES : VOICES)
  if (body.response_format !== undefined) oneOf(body.response_format, 'response_format', FORMATS)
  if (body.speed !== undefined) numberWithin(body.speed, 'speed', 0.25, 4)
  if (body.stream_format !== undefined) {
    oneOf(body.stream_format, 'stream_format', isOld ? 'audio' : 'audio sse')
  }
}

const GOOGLE_VOICES =
  'Zephyr Puck Charon Kore Fenrir Leda Orus Aoede Callirrhoe Autonoe Enceladus Iapetus Umbriel Algieba Despina Erinome Algenib Rasalgethi Laomedeia Achernar Alnilam Schedar Gacrux Pulcherrima Achird Zubenelgenubi Vindemiatrix Sadachbia Sadaltager Sulafat'

const isOlder = (model: string): boolean => /^gemini-(2|3\.1)/.test(model)

/** Refuses what Google refuses of a call for speech. */
export function checkGoogleSpeech(body: Json, model: string): void {
  onlyFields(body, '', 'contents generationConfig')
  const [content, second] = objectsAt(body.contents, 'contents')
  demand(content && !second, 'contents', 'one turn')
  for (const [index, part] of objectsAt(content.parts, 'contents[0].parts').entries()) {
    const path = `contents[0].parts[${index}]`
    onlyFields(part, path, isOlder(model) ? 'text' : 'text speechMetadata')
    demand(textAt(part.text, path) !== '', path, 'must have a text parameter')
    if (part.speechMetadata === undefined) continue
    onlyFields(objectAt(part.speechMetadata, path), path, 'style speaker')
  }
  const path = 'generationConfig'
  const config = objectAt(body.generationConfig, path)
  // Temperature and its like are refused by the newer models.
  onlyFields(config, path, 'responseModalities speechConfig')
  demand(
    JSON.stringify(config.responseModalities) === '["AUDIO"]',
    path,
    'This model only supports AUDIO',
  )
  const speech = objectAt(config.speechConfig, `${path}.speechConfig`)
  onlyFields(speech, `${path}.speechConfig`, 'voiceConfig')
  const voice = objectAt(speech.voiceConfig, `${path}.speechConfig.voiceConfig`)
  onlyFields(
    voice,
    'voiceConfig',
    isOlder(model) ? 'prebuiltVoiceConfig' : 'prebuiltVoiceConfig voice',
  )
  if (voice.voice !== undefined) {
    demand(/^voice(key)?_/.test(textAt(voice.voice, 'voice')), 'voice', 'Voice not found')
    return
  }
  const prebuilt = objectAt(voice.prebuiltVoiceConfig, 'prebuiltVoiceConfig')
  oneOf(prebuilt.voiceName, 'voiceName', GOOGLE_VOICES)
}

/** Samples of a tone: signed, 16 bits, little-endian, one channel. */
export function tone(count: number, rate = 24_000): Buffer {
  const samples = Buffer.alloc(count * 2)
  for (let index = 0; index < count; index++) {
    const value = Math.round(12_000 * Math.sin((2 * Math.PI * 440 * index) / rate))
    samples.writeInt16LE(value, index * 2)
  }
  return samples
}

/** A WAV file with a chunk of notes before the samples, as some encoders write it; its odd byte is padded. */
export function wavFile(samples: Buffer, rate: number): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(name)
    head.writeUInt32LE(content.length, 4)
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
  }
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate * 2, 8)
  format.writeUInt16LE(2, 12)
  format.writeUInt16LE(16, 14)
  const notes = chunk('LIST', Buffer.from('INFOISFT!'))
  return chunk(
    'RIFF',
    Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), notes, chunk('data', samples)]),
  )
}

const usageMetadata = {
  promptTokenCount: 8,
  candidatesTokenCount: 48,
  totalTokenCount: 56,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }],
  candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 48 }],
}

const answer = (mimeType: string, sound: Buffer | null, more: Json): Json => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: sound ? [{ inlineData: { mimeType, data: sound.toString('base64') } }] : [],
      },
      index: 0,
      ...more,
    },
  ],
  usageMetadata,
})

/** Google's answer: newer models send a whole WAV file; all of them stream bare samples. */
export function answerGoogleSpeech(
  model: string,
  samples: Buffer,
  rate = 24_000,
): { whole: Json; chunks: readonly string[] } {
  const bare = `audio/L16;codec=pcm;rate=${rate}`
  const end = { finishReason: 'STOP' }
  const chunks: string[] = []
  // Pieces of an odd length, so that a sample is cut.
  for (let at = 0; at < samples.length; at += 1001) {
    chunks.push(dataLine(answer(bare, samples.subarray(at, at + 1001), {})))
  }
  return {
    whole: isOlder(model)
      ? answer(bare, samples, end)
      : answer('audio/wav', wavFile(samples, rate), end),
    chunks: [...chunks, dataLine(answer(bare, null, end))],
  }
}
