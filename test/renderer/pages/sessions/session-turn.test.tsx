import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeGateway } from '../../fake-client.ts'
import { renderConsole } from '../../render-console.tsx'

const session = {
  ...{ id: 'a', user_id: 1, username: 'ada', token_name: '', client: '', title: null },
  ...{ started_at: 1, ended_at: 2, calls: 1, errors: 0, models: ['m'], prompt_tokens: 320 },
  ...{ cached_tokens: 0, completion_tokens: 1, cache_hit_rate: 0, quota: null, unpriced: 1 },
}
const call = {
  ...{ request_id: 'r', created_at: 1, use_time_ms: 5, model_name: 'm', channel_name: '' },
  ...{ status: 200, error: '', kind: 'main', agent: null, prompt_tokens: 320, cached_tokens: 0 },
  ...{ cache_write_tokens: 0, completion_tokens: 1, reasoning_tokens: 0, is_estimated: false },
  ...{ is_unpriced: true, quota: 0, quota_so_far: null, input: [], output: [] },
  ...{ problem: null, reason: null },
}

async function turnOf(fields: object, findings: object[] = []) {
  const gateway = createFakeGateway({
    'agent-session.get': () => ({ session, calls: [{ ...call, ...fields }] }),
    'agent-session.doctor': () => ({ summary: '', compared: 1, findings, causes: [] }),
  })
  renderConsole(gateway, '/calls/sessions?id=a&user=1')
  const link = await screen.findByRole('link', { name: 'Open call 1' })
  return within(link.closest('li') as HTMLElement)
}

test('a failed call of which nothing was counted shows dashes, and its error once', async () => {
  const error = 'The server had an error.'
  const turn = await turnOf({
    ...{ status: 500, error, is_unpriced: false, prompt_tokens: 0, completion_tokens: 0 },
    output: [{ role: 'error', kind: 'text', text: error }],
  })
  expect(turn.getAllByText(error)).toHaveLength(1)
  const figures = turn.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(figures).toEqual(['–', '–', '–', '–', '–'])
})

test('a failed call shows what was counted of it', async () => {
  const turn = await turnOf({ status: 502, prompt_tokens: 320, completion_tokens: 0 })
  const figures = turn.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(figures[0]).toBe('320')
})

test('an answer that begins with a tag is shown open, unlike a reminder that the agent added', async () => {
  const turn = await turnOf({
    input: [{ role: 'user', kind: 'text', text: '<system-reminder>Be kind.</system-reminder>' }],
    output: [{ role: 'assistant', kind: 'text', text: '<div> is a block.' }],
  })
  expect(turn.getByText('<div> is a block.').closest('details')).toBeNull()
  for (const text of turn.getAllByText(/Be kind/)) expect(text.closest('details')).not.toBeNull()
})

test('of an estimate it is not known how much was cached', async () => {
  const turn = await turnOf({ is_estimated: true })
  const figures = turn.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(figures.slice(0, 3)).toEqual(['≈ 320', '–', '≈ 1'])
})

test('a tool that failed says so beside its name, unfolded or not', async () => {
  const asked = { role: 'assistant', kind: 'tool-call', name: 'Bash', text: '{}', id: 'a' }
  const answer = { role: 'tool', kind: 'tool-result', name: 'Bash', text: 'Exit code 3', id: 'a' }
  const late = { ...answer, id: 'b', name: 'Read', text: 'No such file', failed: true }
  const turn = await turnOf({ input: [asked, { ...answer, failed: true }, late], output: [] })
  const lines = turn.getAllByText(/^(?:Bash|Result of Read)/).map((one) => one.closest('summary'))
  expect(lines.map((line) => line?.textContent)).toEqual([
    'Bash failed {}',
    'Result of Read failed No such file',
  ])
})

test('the setting that broke the cache stands in its note, with both values', async () => {
  const finding = {
    ...{ request_id: 'r', previous_id: 'q', equal_tokens: 300, previous_prompt_tokens: 300 },
    ...{ path: null, from: null, to: null, prompt_tokens: 320, cached_tokens: 0 },
    ...{ missed_tokens: 320, cause: 'setting-changed', quota: null },
    setting: { path: 'reasoning.effort', from: null, to: 'high' },
  }
  const turn = await turnOf({}, [finding])
  expect(await turn.findByText('setting changed')).toBeTruthy()
  expect(turn.getByText('reasoning.effort')).toBeTruthy()
  expect(turn.getByText('(not sent)')).toBeTruthy()
  expect(turn.getByText('high')).toBeTruthy()
})

test('where no price is known, the cache note says no cost', async () => {
  const finding = {
    ...{ request_id: 'r', previous_id: 'q', equal_tokens: null, previous_prompt_tokens: null },
    ...{ path: null, from: null, to: null, prompt_tokens: 320, cached_tokens: 0 },
    ...{ missed_tokens: 320, cause: 'expired', setting: null, quota: null },
  }
  const turn = await turnOf({}, [finding])
  expect(await turn.findByText(/^320 tokens re-sent$/)).toBeTruthy()
})

test.each([
  [0, 'Hardly any input was re-sent.'],
  [300, 'Almost all cacheable input came from the cache.'],
])('without a miss, and with %i tokens from the cache, it says so', async (cached, words) => {
  const gateway = createFakeGateway({
    'agent-session.get': () => ({ session, calls: [call] }),
    'agent-session.doctor': () => ({
      ...{ summary: '', compared: 1, prompt_tokens: 320, cached_tokens: cached },
      ...{ missed_tokens: 0, quota: null, findings: [], causes: [] },
    }),
  })
  renderConsole(gateway, '/calls/sessions?id=a&user=1')
  expect(await screen.findByText(words)).toBeTruthy()
})

test.each([
  '<system-reminder>Today is Monday.</system-reminder>',
  'This is the Qwen Code. We are setting up the context for our chat.',
])('the agent’s own words are folded: %s', async (text) => {
  const turn = await turnOf({ input: [{ role: 'user', kind: 'text', text }] })
  expect(turn.getByText('Added by the agent')).toBeTruthy()
})
