import { openConfFile } from '../../../../main/store/state/conf-file.ts'

/** Run by keep-own-signals.test.ts: ends a while after SIGTERM, as a gateway with open streams does. */
process.on('SIGTERM', () => {
  console.log('draining')
  setTimeout(() => {
    console.log('drained')
    process.exit(0)
  }, 300)
})
openConfFile('/nowhere')
console.log('ready')
setInterval(() => undefined, 1000)
