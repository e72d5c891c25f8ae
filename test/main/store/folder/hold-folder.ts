import { setTimeout as sleep } from 'node:timers/promises'
import { openFolder } from '../../../../main/store/folder/folder.ts'

/**
 * Run by folder.test.ts: takes the folder in a process of its own and says whether it could. Objects that nothing
 * refers to are collected before: the lock must not go with them.
 */
try {
  openFolder(process.argv[2] ?? '').announce('http://127.0.0.1:1')
  for (let round = 0; round < 3; round++) {
    global.gc?.()
    await sleep(5)
  }
  console.log('taken')
} catch (error) {
  console.log((error as Error).message)
}
process.stdin.resume()
