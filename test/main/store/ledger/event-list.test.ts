import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { call } from './call.ts'

test('a search of events takes every sign for itself', async () => {
  const ledger = await openLedger(join(tempFolder(), 'ledger.db'))
  onTestFinished(() => ledger.close())
  const contents = ['Read C:\\temp\\keys.', 'Raised by 50%.', 'Raised by 50 units.', 'A_B', 'AxB']
  await Promise.all(contents.map((content) => ledger.record(call({ type: 3, content }))))
  const found = (text: string) =>
    ledger.events({ text }, { page: 1, pageSize: 9 }).items.map(({ content }) => content)
  expect(found('C:\\temp\\k')).toEqual(['Read C:\\temp\\keys.'])
  expect(found('by 50%')).toEqual(['Raised by 50%.'])
  expect(found('a_b')).toEqual(['A_B'])
})
