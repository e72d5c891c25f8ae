import { openFolder } from '../../../main/store/folder.ts'

/** Run by folder.test.ts: takes the folder in a process of its own and says whether it could. */
try {
  openFolder(process.argv[2] ?? '').announce('http://127.0.0.1:1')
  console.log('taken')
} catch (error) {
  console.log((error as Error).message)
}
process.stdin.resume()
