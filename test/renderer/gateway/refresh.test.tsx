import { expect, test } from 'vitest'
import { useOperation, useRefreshOn } from '../../../renderer/gateway/queries.ts'
import { createFakeGateway } from '../fake-client.ts'
import { renderConsole } from '../render-console.tsx'

const TAKES = 100

function Watched() {
  useOperation('token.list', {})
  useRefreshOn('calls', [['token.list']], 10)
  return null
}

test('what the gateway takes long for is asked for again only after a rest, however many calls are made', async () => {
  const gateway = createFakeGateway({
    'token.list': () =>
      new Promise((resolve) =>
        setTimeout(resolve, TAKES, { page: 1, page_size: 9, total: 0, items: [] }),
      ),
  })
  renderConsole(gateway, '/', <Watched />)
  const reads = () => gateway.calls.filter(({ name }) => name === 'token.list').length
  const began = performance.now()
  while (performance.now() - began < 20 * TAKES) {
    gateway.push('calls')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  // The first two follow each other, the others rest for four times as long as they take.
  const most = 2 + Math.ceil((performance.now() - began) / (5 * TAKES))
  expect(reads()).toBeGreaterThanOrEqual(3)
  expect(reads()).toBeLessThanOrEqual(most)
})
