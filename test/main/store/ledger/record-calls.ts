import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { call } from './call.ts'

/** Run by ledger.test.ts: records without end and prints each id once its row is acknowledged. */
const ledger = await openLedger(process.argv[2] ?? '')
for (let batch = 0; ; batch++) {
  const ids = Array.from({ length: 50 }, (_, index) => `kill-${batch}-${index}`)
  await Promise.all(
    ids.map(async (requestId) => {
      await ledger.record(call({ requestId }))
      process.stdout.write(`${requestId}\n`)
    }),
  )
}
