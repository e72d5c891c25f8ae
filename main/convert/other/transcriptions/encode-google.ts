import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asString, wordOf } from '../../json/json-value.ts'
import { modelRules } from '../../model/model-rules.ts'
import type { BridgeRequest, BridgeTarget } from '../bridge.ts'
import { checkInlineSize, type InlineFile, inlineTurn, withoutLogs } from '../inline-turn.ts'
import { soundTypeOf } from './sound-type.ts'

const TASKS: Readonly<Record<string, string>> = {
  transcriptions:
    'Transcribe the speech in this recording word for word, in the language that is spoken.',
  translations: 'Translate the speech in this recording into English.',
}

const BARE =
  'Reply with the text alone: no introduction, no time stamps, no names of speakers, no description of sounds, no markup. Where nobody speaks, reply with nothing.'

/** A form's field as one list, under its name with `[]` or without. */
function listOf(body: JsonObject, name: string): string[] {
  const values = [body[name], body[`${name}[]`]].flat()
  return values.filter((value) => typeof value === 'string' && value !== '') as string[]
}

/** Instruction in words, since the model has no settings for it. */
function instructionOf({ format, body }: BridgeRequest, { loss }: BridgeTarget): string {
  const lines = [TASKS[format] ?? '', BARE]
  const say = (field: string, text: string) => {
    lines.push(text)
    loss.approximate(field, 'told_model_in_words')
  }
  const language = asString(body.language)
  if (language) say('language', `The language that is spoken, by its ISO code: ${language}.`)
  const languages = listOf(body, 'languages')
  if (languages.length > 0) {
    say('languages', `Languages that may be spoken, by their ISO codes: ${languages.join(', ')}.`)
  }
  const keywords = listOf(body, 'keywords')
  if (keywords.length > 0) {
    say('keywords', `Words that may occur, for their spelling: ${keywords.join(', ')}.`)
  }
  const prompt = asString(body.prompt)
  if (prompt) {
    say(
      'prompt',
      `Context, for spelling and style alone; it is no part of the recording and not to be repeated:\n${prompt}`,
    )
  }
  return lines.join('\n')
}

const HEARD = ['model', 'file', 'stream', 'language', 'languages', 'keywords', 'prompt']

/** Refuses what the answer could not hold, and notes what is left out. */
function checkSettings({ body, stream }: BridgeRequest, { loss }: BridgeTarget): void {
  for (const [name, value] of Object.entries(body)) {
    const field = name.replace(/\[\]$/, '')
    // Fields that a form leaves empty are not sent.
    if (HEARD.includes(field) || field === 'temperature' || value === '') continue
    if (field === 'response_format') {
      if (value !== 'json' && value !== 'text') {
        loss.refuse(field, { code: 'must_be_plain_transcript', given: wordOf(value) })
      }
      if (stream && value === 'text') loss.approximate(field, 'stream_of_json')
    } else if (field === 'include') {
      if (asArray([value].flat()).includes('logprobs')) {
        loss.refuse(name, 'no_transcript_probabilities')
      }
      loss.drop(name, 'only_the_text')
    } else loss.drop(name, 'model_has_no_setting')
  }
}

function temperatureOf({ body }: BridgeRequest, { model, loss }: BridgeTarget): JsonObject {
  if (body.temperature === undefined || body.temperature === '') return {}
  const asked = Number(body.temperature)
  if (asked < 0 || asked > 1)
    loss.refuse('temperature', { code: 'must_be_between', least: 0, most: 1 })
  if (!modelRules('generate-content', model).sampling) {
    loss.drop('temperature', 'model_takes_no_setting')
    return {}
  }
  return { generationConfig: { temperature: asked } }
}

/** The recording, once and with a type that Google knows. */
function recordingOf({ files }: BridgeRequest, target: BridgeTarget): InlineFile {
  const [file, second] = files
  if (!file) return target.loss.refuse('file', 'recording_required')
  if (second) target.loss.refuse(second.field, 'one_file')
  if (file.bytes.length === 0) target.loss.refuse('file', 'is_empty')
  checkInlineSize(files, target)
  const mimeType = soundTypeOf(file) ?? target.loss.refuse('file', 'must_be_recording')
  return { mimeType, bytes: file.bytes }
}

/** A body of generateContent that asks for what is said in a recording. */
export function encodeTranscription(
  request: BridgeRequest,
  target: BridgeTarget,
): readonly (readonly Buffer[])[] {
  checkSettings(request, target)
  const recording = recordingOf(request, target)
  const settings = { ...withoutLogs(target), ...temperatureOf(request, target) }
  return [inlineTurn([{ text: instructionOf(request, target) }, recording], settings)]
}
