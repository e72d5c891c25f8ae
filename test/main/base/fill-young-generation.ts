import { getHeapSpaceStatistics } from 'node:v8'
import { boundHeap } from '../../../main/base/heap/heap-bounds.ts'

/** Keeps much alive for a while, so that V8 wants a larger young generation, and prints how many bytes it came to have. */
boundHeap()
const size = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
let most = 0
let kept: object[] = []
for (let round = 0; round < 60; round++) {
  for (let index = 0; index < 20_000; index++) {
    kept.push({ index, list: [index] })
    if (kept.length > 40_000) kept = []
  }
  most = Math.max(most, size())
  await new Promise((resolve) => setTimeout(resolve, 20))
}
console.log(most)
