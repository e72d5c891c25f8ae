// npm run gateway: the gateway without a window, in this very process. stdout is the gateway's own.
import './require-node.mjs'
import { pathToFileURL } from 'node:url'
import { prepare } from './prepare.mjs'
import { at, stopWithParent } from './run.mjs'

stopWithParent('gateway')
await prepare()
await import(pathToFileURL(at('dist/main/headless.js')).href)
