import type { FormRule } from '../../codec.ts'
import { numberIn, onceIn, requireFormSwitch } from '../form-fields.ts'

/** Only what routing and accounting rest on: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptionForm: FormRule = {
  orJson: false,
  files: ['file'],
  check(fields) {
    for (const name of ['response_format', 'language', 'prompt']) onceIn(fields, name)
    numberIn(fields, 'temperature')
    requireFormSwitch(fields, 'stream')
  },
}
