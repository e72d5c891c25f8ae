import { act, fireEvent, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FoldedText } from '../../../../../renderer/pages/calls/inspector/body/folded-text.tsx'
import { JsonTree } from '../../../../../renderer/pages/calls/inspector/body/json-tree.tsx'
import {
  parseTree,
  type JsonTree as Tree,
} from '../../../../../renderer/pages/calls/inspector/body/parse-tree.ts'
import { CaptureBurst } from '../../../../../renderer/pages/calls/inspector/capture/capture-burst.tsx'
import { CopyAs } from '../../../../../renderer/pages/calls/inspector/capture/copy-as.tsx'
import { PanelResizer } from '../../../../../renderer/pages/calls/inspector/panel-resizer.tsx'
import { EventDetail } from '../../../../../renderer/pages/calls/inspector/stream/event-detail.tsx'
import { createFakeGateway } from '../../../fake-client.ts'
import { renderConsole } from '../../../render-console.tsx'

test('the panel follows the pointer during a drag, and no more after it', async () => {
  const widths: number[] = []
  const width = { value: 500, least: 360, most: 900, set: (to: number) => void widths.push(to) }
  renderConsole(createFakeGateway(), '/', <PanelResizer width={width} />)
  const line = await screen.findByRole('separator')
  line.setPointerCapture = () => {}
  fireEvent.pointerDown(line, { clientX: 700 })
  fireEvent.pointerMove(line, { clientX: 680 })
  expect(widths).toHaveLength(1)
  line.dispatchEvent(new Event('lostpointercapture'))
  fireEvent.pointerMove(line, { clientX: 600 })
  expect(widths).toHaveLength(1)
})

test('after all is folded no line is chosen, whose path would be copied for another’s', async () => {
  const tree = parseTree('{"outer":{"inner":1},"other":2}') as Tree
  const user = renderConsole(createFakeGateway(), '/', <JsonTree tree={tree} label="Body" />)
  const box = await screen.findByRole('tree', { name: 'Body' })
  box.focus()
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(screen.getByRole('button', { name: /outer\.inner/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Fold all' }))
  expect(box.getAttribute('aria-activedescendant')).toBeNull()
  expect(screen.queryByRole('button', { name: /other/ })).toBeNull()
})

test('a burst that was begun can be stopped at once', async () => {
  // The list looks again by itself, but only after a while.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let until: number | null = null
  const gateway = createFakeGateway({
    'capture.status': () => ({ level: 'off', burst_until: until }),
    'capture.burst': () => {
      until = Math.floor(Date.now() / 1000) + 600
    },
  })
  const user = renderConsole(gateway, '/', <CaptureBurst />)
  await user.click(await screen.findByRole('button', { name: /^Capture everything/ }))
  expect(await screen.findByRole('button', { name: 'Stop' })).toBeTruthy()
})

test('the button that has copied can soon copy again', async () => {
  const gateway = createFakeGateway({
    'capture.export': () => ({ name: 'call.sh', media_type: 'text/plain', text: 'curl' }),
  })
  const user = renderConsole(gateway, '/', <CopyAs requestId="one" />)
  await user.click(await screen.findByRole('button', { name: 'Copy as' }))
  const item = await screen.findByRole('menuitem', { name: 'cURL (bash)' })
  const later: (() => void)[] = []
  const original = window.setTimeout
  const spy = vi.spyOn(window, 'setTimeout')
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementation(((run: () => void, wait?: number) =>
    wait === 1500 ? later.push(run) : original(run, wait)) as typeof window.setTimeout)
  await user.click(item)
  await screen.findByRole('button', { name: 'Copied' })
  act(() => later.forEach((run) => void run()))
  expect(screen.getByRole('button', { name: 'Copy as' })).toBeTruthy()
})

test('a long value is shown whole, and folded again', async () => {
  const text = `${'x'.repeat(400)} its end`
  const user = renderConsole(createFakeGateway(), '/', <FoldedText text={text} label="Value" />)
  await user.click(await screen.findByRole('button', { name: 'Show more: Value' }))
  expect(screen.getByText(/its end/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show less: Value' }))
  expect(screen.queryByText(/its end/)).toBeNull()
  expect(screen.getByRole('button', { name: 'Show more: Value' })).toBeTruthy()
})

test.each([
  ['client', [], 'no upstream event'],
  ['upstream', [], 'no client event'],
  ['client', [4], 'came from upstream event 4'],
  ['upstream', Array.from({ length: 13 }, (_, index) => index), /1, 2, .*10, 11, …$/],
] as const)(
  'an event of the %s says to which of the other side it belongs: %j',
  async (side, others, said) => {
    const event = { at: 5, event: '', data: '{}', text: '' }
    renderConsole(
      createFakeGateway(),
      '/',
      <EventDetail event={event as never} number={1} side={side} others={others} />,
    )
    expect(await screen.findByText(said)).toBeTruthy()
  },
)
