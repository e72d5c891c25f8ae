import { getHeapStatistics } from 'node:v8'
import { boundHeap } from '../../../main/base/heap/heap-bounds.ts'

/**
 * Keeps some megabytes alive, and beside them what outlives the young generation and is then dropped; prints how
 * many times as much as is alive the heap came to hold.
 */
boundHeap()
const used = () => getHeapStatistics().used_heap_size
const before = used()
const alive: object[] = []
for (let index = 0; index < 200_000; index++) alive.push({ index, text: `${index}`, list: [index] })
const needed = used() - before
const passing: object[] = Array(60_000)
let most = 0
for (let round = 0; round < 4000; round++) {
  for (let index = 0; index < 2000; index++) {
    passing[(round * 2000 + index) % passing.length] = {
      index,
      list: [index, round],
      text: `${round}`,
    }
  }
  // How large it may be at the start was settled before.
  if (round > 2000) most = Math.max(most, used() - before)
  if (round % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
}
console.log(most / needed, alive.length)
