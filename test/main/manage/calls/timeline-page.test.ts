import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseQuery } from '../../../../main/manage/calls/query/parse-query.ts'
import type { TimelineCursor } from '../../../../main/manage/calls/timeline-cursor.ts'
import { readTimelinePage } from '../../../../main/manage/calls/timeline-page.ts'
import { OpenCalls } from '../../../../main/relay/limits/open-calls.ts'
import { callValues, insertCalls } from '../../../../main/store/ledger/call-columns.ts'
import { openLedgerFile } from '../../../../main/store/ledger/ledger-file.ts'
import { CallSearch } from '../../../../main/store/ledger/search/call-search.ts'
import { Statements } from '../../../../main/store/ledger/statements.ts'
import { tempFolder } from '../../store/folder/temp-folder.ts'
import { logRow, now } from './log-rows.ts'
import { refusedIn } from './refused-in.ts'

test('refused requests keep their place where the ledger’s search stops half-way', async () => {
  const database = openLedgerFile(join(tempFolder(), 'ledger.db'))
  onTestFinished(() => database.close())
  const insert = database.prepare(insertCalls(1))
  // One in thirty fits, and a search looks at twenty rows.
  for (let id = 1; id <= 200; id++) {
    const model = id % 30 === 0 ? 'rare' : 'common'
    insert.run(...callValues(id, logRow(`r${id}`, { createdAt: now + id * 10, model })))
  }
  const sizes = { slice: 10, lookedAt: 20 }
  const ledger = new CallSearch(database, new Statements(database), () => 200, sizes)
  const refused = Array.from({ length: 15 }, (_, index) => ({
    ...logRow(`x${index}`, { createdAt: now + index * 133, model: 'rare' }),
    id: index + 1,
  }))
  const parts = {
    ...{ ledger, openCalls: new OpenCalls() },
    timeline: { refused: refusedIn(refused), captures: null },
  }
  const conditions = parseQuery('rare', { isAdministrator: true, now })
  const { signal } = new AbortController()
  const times: number[] = []
  let emptyPages = 0
  let cursor: TimelineCursor | null = {
    ...{ sort: 'time', order: 'desc', calls: null, refused: null },
    since: { calls: { time: now, id: 200 }, refused: null },
  }
  while (cursor) {
    const page = await readTimelinePage({ conditions, cursor, limit: 4, signal }, parts)
    times.push(...page.rows.map(({ row }) => row.createdAt))
    if (page.rows.length === 0) emptyPages++
    cursor = page.next
  }
  expect(emptyPages).toBeLessThan(10)
  expect(times).toHaveLength(6 + 15)
  expect(times).toEqual(times.toSorted((one, other) => other - one))
})

test.each<[string, number, string[]]>([
  ['newer than where the search stopped is told at once', 1, ['x1']],
  ['of the very second where it stopped too', 0, ['x1']],
  ['older than that comes with a later page: calls between may still be found', -1, []],
])('a refused request %s', async (_what, after, expected) => {
  const stopped = { time: now, id: 7, value: now }
  const refused = [{ ...logRow('x1', { createdAt: now + after }), id: 1 }]
  const parts = {
    ledger: { find: async () => ({ rows: [], next: stopped }) },
    openCalls: new OpenCalls(),
    timeline: { refused: refusedIn(refused), captures: null },
  }
  const { rows, next } = await readTimelinePage(
    {
      ...{ conditions: [], limit: 4, signal: new AbortController().signal },
      cursor: {
        ...{ sort: 'time', order: 'desc', calls: null, refused: null },
        since: { calls: { time: now, id: 200 }, refused: null },
      },
    },
    parts,
  )
  expect(rows.map(({ row }) => row.requestId)).toEqual(expected)
  expect(next?.calls).toEqual(stopped)
})
