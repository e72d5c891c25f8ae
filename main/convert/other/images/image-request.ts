import { refuse, requireSwitch } from '../../check/check-request.ts'
import type { FormRule } from '../../codec.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { numberIn, onceIn, requireFormSwitch } from '../form-fields.ts'

/** Requires a number, where it is sent, to be a whole one between two others. */
function requireWhole(value: unknown, field: string, least: number, most: number): void {
  if (value === undefined || value === null) return
  const isWithin =
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  if (!isWithin) refuse(field, { code: 'must_be_whole_between', least, most })
}

function requirePrompt(value: unknown): void {
  if (value === undefined || value === null) refuse('prompt', 'prompt_required')
  if (typeof value !== 'string') refuse('prompt', 'must_be_text')
  if (value.trim() === '') refuse('prompt', 'must_not_be_empty')
}

const NUMBER_BOUNDS = [
  ['n', 1, 10],
  ['partial_images', 0, 3],
] as const

/** Only what routing and accounting rest on: https://platform.openai.com/docs/api-reference/images/create */
export function checkImageRequest(body: JsonFields): void {
  requirePrompt(body.get('prompt'))
  for (const [field, least, most] of NUMBER_BOUNDS) {
    requireWhole(body.get(field), field, least, most)
  }
  requireSwitch(body, 'stream')
}

function checkForm(fields: Parameters<FormRule['check']>[0]): void {
  for (const [field, least, most] of NUMBER_BOUNDS) {
    requireWhole(numberIn(fields, field), field, least, most)
  }
  requireFormSwitch(fields, 'stream')
}

/** Edits come as a form with images, or as JSON that holds or names them. */
export const imageEditForm: FormRule = {
  orJson: true,
  files: ['image', 'image[]'],
  check(fields) {
    requirePrompt(onceIn(fields, 'prompt'))
    checkForm(fields)
  },
}

/** A variation has a picture and no words. */
export const imageVariationForm: FormRule = { orJson: false, files: ['image'], check: checkForm }
