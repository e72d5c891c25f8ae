import { KeyGuard } from '../../check/guarded-keys.ts'

const KEYS = [
  'input',
  'messages',
  'prompt',
  'conversation',
  'previous_response_id',
  'max_output_tokens',
  'max_tool_calls',
  'service_tier',
  'background',
]

export const responsesGuard = new KeyGuard({ keys: KEYS })

/** For WebSocket messages: a `response.create` is a whole request. */
export const responsesMessageGuard = new KeyGuard({
  keys: [...KEYS, 'type', 'stream_id', 'response'],
  within: { response: ['model', 'type'] },
})
