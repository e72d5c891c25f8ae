import { KeyGuard } from '../../check/guarded-keys.ts'

/** Decided by Chat's keys, and by those of the older completions. */
export const chatGuard = new KeyGuard({
  keys: [
    'messages',
    'input',
    'prompt',
    'stream_options',
    'max_tokens',
    'max_completion_tokens',
    'n',
    'best_of',
    'service_tier',
    'web_search_options',
  ],
  within: { stream_options: ['include_usage'] },
})
