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

/** Of a message over a WebSocket, which is a whole request where it is a `response.create`. */
export const responsesMessageGuard = new KeyGuard({
  keys: [...KEYS, 'type', 'stream_id', 'response'],
  within: { response: ['model', 'type'] },
})
