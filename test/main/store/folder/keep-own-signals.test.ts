import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('one SIGTERM reaches the gateway once, so that it can drain', async () => {
  const script = fileURLToPath(new URL('drain-on-signal.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (text.includes('ready')) child.kill('SIGTERM')
  })
  const [code, signal] = await new Promise<unknown[]>((resolve) => {
    child.once('close', (...ended) => resolve(ended))
  })
  expect({ said, code, signal }).toEqual({
    said: 'ready\ndraining\ndrained\n',
    code: 0,
    signal: null,
  })
})
