import { expect, test } from 'vitest'
import { toSessionCall } from '../../../../main/manage/sessions/session-rows.ts'
import { logRow } from '../calls/log-rows.ts'

test('a call of a session began its duration before its row was written', () => {
  const row = { ...logRow('r1', { createdAt: 1_700_000_000, useTime: 2_500 }), id: 1 }
  expect(toSessionCall(row)).toMatchObject({
    startedAt: 1_699_999_997_500,
    endedAt: 1_700_000_000_000,
  })
})
