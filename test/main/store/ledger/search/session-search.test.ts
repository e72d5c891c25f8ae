import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLedger } from '../../../../../main/store/ledger/open-ledger.ts'
import { tempFolder } from '../../folder/temp-folder.ts'
import { call } from '../call.ts'

const START = 1_700_000_000

async function ledgerOf(sessions: readonly { session: string; userId: number; at: number }[]) {
  const ledger = await openLedger(join(tempFolder(), 'ledger.db'))
  onTestFinished(() => ledger.close())
  for (const [index, { session, userId, at }] of sessions.entries()) {
    await ledger.record(
      call({
        ...{ requestId: `r${index}`, userId, username: `user ${userId}`, createdAt: START + at },
        ...{ model: index % 2 ? 'small' : 'large', promptTokens: 1000, cachedTokens: 750 },
        ...{ completionTokens: 10, quota: 5, useTime: 2000, status: index === 2 ? 502 : 200 },
        other: JSON.stringify({ session, client: 'agent/1', estimated: index === 2 }),
      }),
    )
  }
  return ledger
}

test('a session’s figures are those of all its calls', async () => {
  const ledger = await ledgerOf([
    { session: 'a', userId: 1, at: 10 },
    { session: 'a', userId: 1, at: 20 },
    { session: 'a', userId: 1, at: 70 },
    { session: '', userId: 1, at: 80 },
  ])
  expect(await ledger.findSessions([], { cursor: null, limit: 10 })).toEqual({
    sessions: [
      {
        ...{ session: 'a', userId: 1, username: 'user 1', token: 'laptop', client: 'agent/1' },
        ...{ startedAt: START + 8, endedAt: START + 70, calls: 3, errors: 1 },
        ...{ models: ['large', 'small'], input: 3000, cachedInput: 2250, output: 30 },
        ...{ quota: 15, unpriced: 0, estimated: 1 },
      },
    ],
    next: null,
  })
})

test('two users’ sessions of the same id stay apart', async () => {
  const ledger = await ledgerOf([
    { session: 'a', userId: 1, at: 10 },
    { session: 'a', userId: 2, at: 20 },
  ])
  const { sessions } = await ledger.findSessions([], { cursor: null, limit: 10 })
  expect(sessions.map(({ userId, calls }) => [userId, calls])).toEqual([
    [2, 1],
    [1, 1],
  ])
  const calls = await ledger.callsOfSession({ session: 'a', userId: 1 }, 100)
  expect(calls.map(({ requestId }) => requestId)).toEqual(['r0'])
})

test('pages show each session once, also those whose calls lie among others’', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    session: `s${(index * 7) % 9}`,
    userId: 1,
    at: index,
  }))
  const ledger = await ledgerOf(rows)
  const seen: string[] = []
  let cursor: { time: number; id: number } | null = null
  do {
    const page = await ledger.findSessions([], { cursor, limit: 2 })
    seen.push(...page.sessions.map(({ session }) => session))
    cursor = page.next
  } while (cursor)
  const byLast = [...new Set(rows.map(({ session }) => session).reverse())]
  expect(seen).toEqual(byLast)
})

test('a search lists sessions with a call that fits', async () => {
  const ledger = await ledgerOf([
    { session: 'a', userId: 1, at: 1 },
    { session: 'b', userId: 2, at: 2 },
  ])
  const ofUser = { test: 'range', field: 'userId', range: { atLeast: 2, atMost: 2 } } as const
  const { sessions } = await ledger.findSessions([{ ...ofUser, isNegated: false }], {
    ...{ cursor: null, limit: 10 },
  })
  expect(sessions.map(({ session }) => session)).toEqual(['b'])
})
