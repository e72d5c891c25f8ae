import { expect, test } from 'vitest'
import type { TimelineRow } from '../../../../../renderer/gateway/records.ts'
import { readCallFacts } from '../../../../../renderer/pages/calls/call-facts.ts'
import type {
  CapturedEvent,
  CapturedExchange,
  CaptureRecord,
} from '../../../../../renderer/pages/calls/inspector/capture/capture-record.ts'
import { callPhases } from '../../../../../renderer/pages/calls/inspector/timeline/call-phases.ts'
import { callRecord } from '../call-records.ts'

const exchange = (
  channel: number,
  at: number,
  answer: { at: number; ended_at: number },
  sent: number,
) =>
  ({
    ...{ channel_id: channel, channel_name: `Channel ${channel}`, model: 'm', format: 'chat' },
    ...{ connected_at: at + 1, sent_at: sent, failure: null },
    request: { at },
    answer: { ...answer, status: 200 },
  }) as unknown as CapturedExchange

const event = (at: number): CapturedEvent => ({ at, event: '', data: '{}', text: '' })

const phasesIn = (exchanges: CapturedExchange[], events: CapturedEvent[][]) => {
  const capture = { exchanges, client: { answer: null } } as unknown as CaptureRecord
  return callPhases({
    facts: readCallFacts(callRecord({}) as TimelineRow),
    capture,
    events,
    queued: 0,
  })
    .groups.filter(({ kind }) => kind === 'attempt')
    .map(({ phases }) => phases.map(({ kind, from, to }) => [kind, from, to]))
}

test('an earlier attempt shows its pauses as well as the last one', () => {
  const [first, last] = phasesIn(
    [
      exchange(1, 0, { at: 10, ended_at: 3000 }, 2),
      exchange(2, 3000, { at: 3010, ended_at: 5000 }, 3002),
    ],
    [
      [event(20), event(2500)],
      [event(3020), event(4900)],
    ],
  )
  expect(first).toContainEqual(['pause', 20, 2500])
  expect(last).toContainEqual(['pause', 3020, 4900])
  expect(last).not.toContainEqual(['pause', 20, 2500])
})

test('a request that is still being sent when its answer begins is not waited for', () => {
  const [only] = phasesIn([exchange(1, 0, { at: 10, ended_at: 50 }, 40)], [[]])
  expect(only).toEqual([
    ['connecting', 0, 1],
    ['sending', 1, 10],
    ['answering', 10, 50],
  ])
})

test.each([
  [null, null, ['connecting', 0]],
  [5, null, ['sending', 5]],
  [5, 7, ['waiting', 7]],
] as const)(
  'an attempt that runs, connected at %s and sent at %s, is in that step',
  (connected, sent, [kind, from]) => {
    const running = {
      ...exchange(1, 0, { at: 0, ended_at: 0 }, 0),
      ...{ connected_at: connected, sent_at: sent, answer: null },
    }
    expect(phasesIn([running], [[]])[0]?.at(-1)?.slice(0, 2)).toEqual([kind, from])
  },
)

test('no bar of a call under way reaches beyond the chart, though its events are newer than its duration', () => {
  const running = exchange(1, 0, { at: 10, ended_at: 0 }, 2)
  const answer = { ...running.answer, ended_at: null }
  const { groups, total } = callPhases({
    facts: readCallFacts(callRecord({ kind: 'running', use_time_ms: 1240 }) as TimelineRow),
    capture: {
      exchanges: [{ ...running, answer }],
      client: { answer: null },
    } as unknown as CaptureRecord,
    events: [[event(20), event(2500)]],
    queued: 0,
  })
  const phases = groups.flatMap((group) => group.phases)
  expect(phases).toContainEqual({ kind: 'pause', from: 20, to: 2500 })
  expect(Math.max(...phases.map(({ to }) => to))).toBeLessThanOrEqual(total)
})

test.each([
  ['that answered', { status: 200 }, 'firstByte'],
  ['that failed', { status: 500, code: 'server_error', after: 'no_more_channels' }, 'tried'],
] as const)('without a capture, an attempt %s is shown as what it was', (_, note, kind) => {
  const attempts = [{ channel: 1, at: 0, ms: 4, ...note }]
  const { groups } = callPhases({
    facts: readCallFacts(
      callRecord({
        use_time_ms: 9,
        other: JSON.stringify({ admin_info: { route: { attempts } } }),
      }) as TimelineRow,
    ),
    ...{ capture: null, events: [], queued: 0 },
  })
  expect(groups.flatMap(({ phases }) => phases)).toEqual([{ kind, from: 0, to: 4 }])
})

test('a second try at the same channel has its own times and its own failure', () => {
  const tried = (at: number, message: string) => ({ channel: 1, at, ms: 90, code: 'x', message })
  const attempts = [tried(0, 'First.'), tried(100, 'Second.')]
  const other = JSON.stringify({ admin_info: { use_channel: ['1', '1'], route: { attempts } } })
  const exchanges = [0, 100].map((at) =>
    exchange(1, at, { at: at + 10, ended_at: at + 50 }, at + 2),
  )
  const capture = { exchanges, client: { answer: null } } as unknown as CaptureRecord
  const { groups } = callPhases({
    facts: readCallFacts(callRecord({ other }) as TimelineRow),
    ...{ capture, events: [[], []], queued: 0 },
  })
  expect(groups.map(({ attempt }) => attempt?.failure?.message)).toEqual(['First.', 'Second.'])
  expect(groups.map(({ phases }) => phases[0]?.from)).toEqual([0, 100])
})
