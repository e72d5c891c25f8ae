import { encodeChatError, encodeChatStreamError } from '../../chat/error.ts'
import { KeyGuard } from '../../check/guarded-keys.ts'
import { AUTHOR_IN_FORM } from '../../check/named-models.ts'
import type { Codec } from '../../codec.ts'
import { checkImageRequest, imageEditForm, imageVariationForm } from './image-request.ts'
import { ImageScanner } from './image-stream.ts'
import { readImageUsage } from './image-usage.ts'

/** OpenAI's pictures made of words: https://platform.openai.com/docs/api-reference/images/create */
export const imagesCodec: Codec = {
  format: 'images',
  guard: new KeyGuard({
    keys: ['prompt', 'n', 'partial_images', 'size', 'quality', 'svg', AUTHOR_IN_FORM],
    within: { svg: ['model'] },
  }),
  checkRequest: checkImageRequest,
  readUsage: readImageUsage,
  answerKeys: ['data'],
  modelField: 'model',
  createScanner: ({ request }) => new ImageScanner('image_generation', request),
  encodeError: encodeChatError,
  encodeStreamError: encodeChatStreamError,
  keepAlive: ': keep-alive\n\n',
}

/** Pictures made of pictures and words: https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEditsCodec: Codec = {
  ...imagesCodec,
  format: 'image-edits',
  createScanner: ({ request }) => new ImageScanner('image_edit', request),
  form: imageEditForm,
}

/** Pictures like another: https://platform.openai.com/docs/api-reference/images/createVariation */
export const imageVariationsCodec: Codec = {
  ...imagesCodec,
  format: 'image-variations',
  // All that is asked stands in the form.
  checkRequest: () => {},
  form: imageVariationForm,
}
