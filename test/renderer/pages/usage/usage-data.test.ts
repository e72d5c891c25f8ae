import { afterEach, describe, expect, test, vi } from 'vitest'
import { isUnpriced } from '../../../../renderer/components/format/use-sum-cost.ts'
import { chartDataOf, MOST_SERIES } from '../../../../renderer/pages/usage/chart-data.ts'
import { labelOfStep } from '../../../../renderer/pages/usage/step-label.ts'
import { usageCsv } from '../../../../renderer/pages/usage/usage-csv.ts'
import { rangeOf, stepsOf, stepsOfRows } from '../../../../renderer/pages/usage/usage-range.ts'
import {
  cacheShare,
  sumOf,
  sumsByKey,
  type UsageRow,
} from '../../../../renderer/pages/usage/usage-sums.ts'

const row = (fields: Partial<UsageRow>): UsageRow => ({
  key: 'gpt-4.1',
  label: 'gpt-4.1',
  time: 1000,
  calls: 1,
  errors: 0,
  unpriced: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  estimated: 0,
  ...fields,
})

const seconds = (text: string) => new Date(text).getTime() / 1000
const own = { from: '', to: '' }

describe('ranges', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('thirty days are as many, with the present one', () => {
    const now = new Date('2026-03-30T15:00')
    expect(stepsOf(rangeOf('days30', own, now), now.getTime() / 1000)).toHaveLength(30)
  })

  test('seven days are six whole ones and today, by the calendar', () => {
    const range = rangeOf('week', own, new Date('2026-03-03T15:00'))
    expect(range).toEqual({
      start: seconds('2026-02-25T00:00'),
      end: seconds('2026-03-03T23:59:59'),
      step: 'day',
    })
  })

  test('a day on which the clocks change has all its hours, and no day is there twice', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const spring = rangeOf('own', { from: '2026-03-29', to: '2026-03-29' }, new Date())
    expect((spring.end + 1 - spring.start) / 3600).toBe(23)
    const days = rangeOf('own', { from: '2026-03-27', to: '2026-03-31' }, new Date())
    expect(stepsOf(days, days.end)).toEqual(
      [27, 28, 29, 30, 31].map((day) => seconds(`2026-03-${day}T00:00`)),
    )
  })

  test('two dates in the wrong order are a range all the same; a long one goes by weeks', () => {
    const range = rangeOf('own', { from: '2026-06-30', to: '2026-01-01' }, new Date())
    expect(range.start).toBe(seconds('2026-01-01T00:00'))
    expect(range.step).toBe('week')
    // 1 January 2026 is a Thursday; weeks begin on Monday.
    expect(stepsOf(range, range.end)[0]).toBe(seconds('2025-12-29T00:00'))
  })

  test('a year that is still being typed asks for one sum, not for endless weeks', () => {
    const range = rangeOf('own', { from: '0002-01-01', to: '2026-01-01' }, new Date())
    expect(range).toMatchObject({ start: 1, step: 'all' })
    expect(stepsOf(range, range.end)).toEqual([1])
  })

  test('days of a gateway in another time zone do not stand beside empty ones', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const range = rangeOf('own', { from: '2026-06-01', to: '2026-06-05' }, new Date())
    // Midnight in New York is six hours later here.
    const rows = [2, 4].map((day) => seconds(`2026-06-0${day}T06:00`))
    expect(stepsOfRows(rows, range, range.end)).toEqual([
      seconds('2026-05-31T06:00'),
      ...[1, 2, 3, 4, 5].map((day) => seconds(`2026-06-0${day}T06:00`)),
    ])
    const now = seconds('2026-06-04T05:00')
    expect(stepsOfRows(rows.slice(0, 1), range, now).at(-1)).toBe(seconds('2026-06-03T06:00'))
    const mine = [2, 4].map((day) => seconds(`2026-06-0${day}T00:00`))
    expect(stepsOfRows(mine, range, range.end)).toEqual(stepsOf(range, range.end))
  })

  test('a change of clocks here but not at the gateway makes no second step of a day', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const range = rangeOf('own', { from: '2026-03-28', to: '2026-03-31' }, new Date())
    // Midnights of a calendar without summer time.
    const days = ['27', '28', '29', '30'].map((day) => seconds(`2026-03-${day}T15:00:00Z`))
    expect(stepsOfRows(days, range, range.end)).toEqual([...days, seconds('2026-03-31T15:00:00Z')])
    const gap = stepsOfRows([days[0] ?? 0, days[3] ?? 0], range, days[3] ?? 0)
    expect(gap).toHaveLength(4)
  })

  test.each(['America/St_Johns', 'Asia/Kolkata', 'UTC'])(
    'in %s a day of the gateway’s calendar is named as the day that most of it lies on',
    (zone) => {
      vi.stubEnv('TZ', zone)
      const label = labelOfStep('en', 'day', false)
      expect(label(seconds('2026-11-27T00:00:00Z'))).toBe('Nov 27')
    },
  )

  test('the future is not drawn', () => {
    const range = rangeOf('today', own, new Date('2026-03-03T15:00'))
    const now = seconds('2026-03-03T02:30')
    expect(stepsOf(range, now).at(-1)).toBeLessThanOrEqual(now)
  })
})

describe('sums', () => {
  test('calls without a price make a sum unknown only where nothing has a price', () => {
    expect(isUnpriced(sumOf([row({ unpriced: 1 })]))).toBe(true)
    expect(isUnpriced(sumOf([row({ unpriced: 1 }), row({ quota: 5 })]))).toBe(false)
    expect(isUnpriced(sumOf([row({ errors: 1 })]))).toBe(false)
  })

  test('no input has no share from the cache, rather than 0', () => {
    expect(cacheShare(sumOf([row({})]))).toBeNull()
    expect(cacheShare(sumOf([row({ prompt_tokens: 80, cached_tokens: 20 })]))).toBe(0.25)
    expect(cacheShare(sumOf([row({ prompt_tokens: 80, cached_tokens: 90 })]))).toBe(1)
  })

  test('of keys that cost the same the one with most calls comes first', () => {
    const rows = [row({ key: 'few', calls: 1 }), row({ key: 'many', calls: 9 })]
    expect(sumsByKey(rows).map(({ key }) => key)).toEqual(['many', 'few'])
  })

  test('keys are added up over time, the dearest first', () => {
    const sums = sumsByKey([
      row({ key: 'a', quota: 3 }),
      row({ key: 'b', quota: 4 }),
      row({ key: 'a', quota: 3, time: 2000 }),
    ])
    expect(sums.map(({ key, quota, calls }) => [key, quota, calls])).toEqual([
      ['a', 6, 2],
      ['b', 4, 1],
    ])
  })
})

describe('the chart', () => {
  test('a model with dots in its name keeps its values', () => {
    const { series, points } = chartDataOf([row({ calls: 4 })], [1000, 2000], 'calls')
    expect(series).toEqual([{ id: 'series0', key: 'gpt-4.1' }])
    expect(points).toEqual([
      { time: 1000, series0: 4 },
      { time: 2000, series0: 0 },
    ])
  })

  test('what is not among the largest is summed up, and nothing is lost', () => {
    const rows = Array.from({ length: 12 }, (_, index) =>
      row({ key: `model ${index}`, calls: index + 1 }),
    )
    const { series, points } = chartDataOf(rows, [], 'calls')
    expect(series).toHaveLength(MOST_SERIES)
    expect(series.at(-1)).toEqual({ id: 'others', key: null })
    const sum = series.reduce((total, { id }) => total + (points[0]?.[id] ?? 0), 0)
    expect(sum).toBe(78)
  })

  test('where nothing has a price there is nothing to draw as costs', () => {
    expect(chartDataOf([row({ unpriced: 1 })], [1000], 'cost').series).toEqual([])
  })
})

test('the file has a line a step, an unknown cost is empty, and no name runs as a formula', () => {
  const rows = [
    row({ time: 1_700_000_000, key: '7', calls: 2, quota: 750_000, prompt_tokens: 10 }),
    row({ time: 1_700_000_000, key: '8', unpriced: 1, estimated: 2 }),
  ]
  const names: Record<string, string> = { 7: '=HYPERLINK("x")', 8: 'plain' }
  const lines = usageCsv(rows, ({ key }) => names[key] ?? '').split('\r\n')
  expect(lines).toEqual([
    'time,key,name,calls,errors,unpriced,prompt_tokens,completion_tokens,cached_tokens,usd,estimated',
    `2023-11-14T22:13:20.000Z,7,"'=HYPERLINK(""x"")",2,0,0,10,0,0,1.5,0`,
    '2023-11-14T22:13:20.000Z,8,plain,1,0,1,0,0,0,,2',
    '',
  ])
})

test.each(['=1+1', '+1+1', '-1+1', '@SUM(1)', '\t=1+1', '\r=1+1'])(
  'the name %j is no formula in the file',
  (name) => {
    const line = usageCsv([row({ key: '7' })], () => name).slice('time,key,name'.length)
    expect(line).toMatch(/,7,"?'[=+\-@\t\r]/)
  },
)
