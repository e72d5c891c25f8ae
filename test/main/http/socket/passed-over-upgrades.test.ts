import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../../../support/gateway/start-test-gateway.ts'

test('a client that asks for HTTP/2 with each call keeps its connection, which gathers no listeners', async () => {
  const gateway = await startTestGateway()
  onTestFinished(() => gateway.close())
  const warnings: string[] = []
  const onWarning = ({ message }: Error) => void warnings.push(message)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const socket = connect(gateway.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  const answers = () => heard.match(/HTTP\/1\.1 200/g)?.length ?? 0
  for (let call = 1; call <= 25; call++) {
    socket.write(
      [
        'GET /v1/models HTTP/1.1',
        `Host: 127.0.0.1:${gateway.port}`,
        `Authorization: Bearer ${gateway.key}`,
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
        '\r\n',
      ].join('\r\n'),
    )
    for (let tries = 0; tries < 200 && answers() < call; tries++) await sleep(5)
  }
  expect(answers()).toBe(25)
  await sleep(20)
  expect(warnings).toEqual([])
})
