import { screen } from '@testing-library/react'

/** A call as the log shows it, with what a test says of it. */
export const callRecord = (fields: Record<string, unknown> = {}) => ({
  id: 1,
  created_at: 1_795_000_000,
  type: 2,
  content: '',
  token_name: 'laptop',
  channel: 1,
  channel_name: 'Echo',
  model_name: 'echo',
  group: 'default',
  ip: '127.0.0.1',
  quota: 0,
  prompt_tokens: 12,
  completion_tokens: 34,
  use_time_ms: 1240,
  is_stream: true,
  status: 200,
  request_id: 'request-1',
  other: '',
  kind: 'call',
  has_capture: false,
  ...fields,
})

/** One page of the Calls list, its last. */
export const timeline = (...rows: object[]) => ({ rows, next: null, newest: 'cursor-1' })

/** The answer to `call.timeline`: these rows, none of them under way. */
export const listOf =
  (...rows: object[]) =>
  ({ q = '' }: { q?: string }) =>
    q.includes('running:yes') ? timeline() : timeline(...rows)

/** The row of the list in which the text stands. */
export const rowOf = async (text: string): Promise<HTMLElement> =>
  (await screen.findAllByText(text))
    .find((element) => element.closest('tr'))
    ?.closest('tr') as HTMLElement
