import { KeyGuard } from '../../check/guarded-keys.ts'

const CONFIG = [
  'maxOutputTokens',
  'max_output_tokens',
  'candidateCount',
  'candidate_count',
  'responseModalities',
  'response_modalities',
  'speechConfig',
  'speech_config',
]

/** REST takes the keys of Gemini in both spellings, so that a body with both has one twice. */
export const generateContentGuard = new KeyGuard({
  keys: [
    'contents',
    'generationConfig',
    'generation_config',
    'generateContentRequest',
    'generate_content_request',
    'cachedContent',
    'cached_content',
    'serviceTier',
    'service_tier',
  ],
  within: { generationConfig: CONFIG, generation_config: CONFIG },
})
