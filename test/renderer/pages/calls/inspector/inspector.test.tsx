import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CallFailure } from '../../../../../renderer/gateway/call-failure.ts'
import type { GatewayClient } from '../../../../../renderer/gateway/client.ts'
import type { TimelineRow } from '../../../../../renderer/gateway/records.ts'
import { CaptureControl } from '../../../../../renderer/pages/calls/inspector/capture/capture-control.tsx'
import { CopyAs } from '../../../../../renderer/pages/calls/inspector/capture/copy-as.tsx'
import { inspectorTabs } from '../../../../../renderer/pages/calls/inspector/inspector-tabs.tsx'
import {
  addInspectedChannels,
  type InspectedCalls,
  inspectedVendor,
  makeInspectedCalls,
} from '../../../../support/captures/inspected-calls.ts'
import { liveClient } from '../../../../support/gateway/live-client.ts'
import { type Pair, startPair } from '../../../../support/gateway/pair.ts'
import { createFakeGateway } from '../../../fake-client.ts'
import { renderConsole } from '../../../render-console.tsx'

let pair: Pair
let client: GatewayClient
let ids: InspectedCalls

beforeAll(async () => {
  pair = await startPair({ empty: true, handler: inspectedVendor })
  addInspectedChannels(pair)
  ids = await makeInspectedCalls(pair)
  client = await liveClient(pair.gateway)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await pair.close()
})

const rowOf = async (id: string): Promise<TimelineRow> =>
  (await client.call('call.one', { request_id: id })).data

/** A tab as it shows a call. */
async function openTab(tab: string, call: string | TimelineRow) {
  const { View } = inspectorTabs.find(({ id }) => id === tab) ?? {}
  if (!View) throw new Error(`no tab ${tab}`)
  const row = typeof call === 'string' ? await rowOf(call) : call
  return renderConsole(client, '/calls', <View call={row} />)
}

const phasesOf = (group: RegExp) =>
  within(screen.getByRole('region', { name: group }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('the timeline of a streamed call tells how long its answer paused', async () => {
  await openTab('timeline', ids.converted)
  await screen.findByText(/^Done after \d\.\d\d s$/)
  const phases = phasesOf(/^Attempt 1: Thinking vendor$/)
  expect(phases.filter((text) => text?.startsWith('Pause'))).toHaveLength(2)
  expect(phases.find((text) => text?.startsWith('Pause'))).toMatch(/^Pause1\.\d\d s$/)
  const names = phases.map((text) => text?.replace(/[\d.]+ m?s$/, ''))
  const order = ['Connecting', 'Sending request', 'Waiting for first byte']
  expect(names.filter((name) => order.includes(name ?? ''))).toEqual(order)
  expect(phasesOf(/^Client$/)).toHaveLength(1)
})

test('the timeline shows a failed attempt with its status, and the one that answered below it', async () => {
  await openTab('timeline', ids.failover)
  const failed = await screen.findByRole('region', { name: 'Attempt 1: Busy vendor' })
  expect(failed.textContent).toContain('429')
  expect(failed.textContent).toContain('Too fast.')
  expect(screen.getByRole('region', { name: 'Attempt 2: Calm vendor' }).textContent).toContain(
    '200',
  )
})

test('a loss stands at its place in the client’s request, with its reason', async () => {
  const user = await openTab('request', ids.converted)
  const tree = await screen.findByRole('tree', { name: 'Client request' })
  await waitFor(() =>
    expect(
      within(tree).getByText('this upstream has no such field').parentElement?.textContent,
    ).toMatch(/^seed: 7/),
  )
  await user.click(screen.getByRole('radio', { name: 'Differences' }))
  const list = await screen.findByRole('list', { name: 'Differences' })
  const seed = within(list).getByRole('button', { name: 'Copy path seed' }).closest('li')
  expect(seed?.textContent).toContain('removed')
  expect(seed?.textContent).toContain('dropped')
  expect(seed?.textContent).toContain('this upstream has no such field')
})

test('a number keeps all its digits, an image is drawn, and its base64 is only named', async () => {
  await openTab('request', ids.image)
  const tree = await screen.findByRole('tree', { name: 'Client request' })
  expect(within(tree).getByText('9007199254740993')).toBeTruthy()
  expect(within(tree).getByText(/^image\/png · base64 · \d+ KiB$/)).toBeTruthy()
  const [picture] = screen.getAllByRole('img', { name: 'messages[0].content[1].image_url.url' })
  expect(picture?.getAttribute('src')).toMatch(/^data:image\/png;base64,iVBOR/)
  expect(screen.getByText('Same bytes as: Client request')).toBeTruthy()
})

test('a long text opens to its lines, and all of it by keyboard', async () => {
  const user = await openTab('request', ids.image)
  const tree = await screen.findByRole('tree', { name: 'Client request' })
  tree.focus()
  await user.keyboard('{ArrowDown}{End}{Home}')
  const row = within(tree)
    .getByText(/^"Describe it/)
    .closest('[role=treeitem]') as HTMLElement
  expect(row.getAttribute('aria-expanded')).toBe('false')
  const items = within(tree).getAllByRole('treeitem')
  await user.keyboard('{ArrowDown}'.repeat(items.indexOf(row)))
  expect(tree.getAttribute('aria-activedescendant')).toBe(row.id)
  await user.keyboard('{ArrowRight}')
  expect(within(tree).getByText('Describe it.')).toBeTruthy()
  await user.keyboard('{ArrowLeft}')
  expect(within(tree).queryByText('Describe it.')).toBeNull()
})

test('each attempt’s own request and headers can be chosen, with address and status, and no key is in them', async () => {
  const user = await openTab('headers', ids.failover)
  await screen.findByRole('table', { name: 'Upstream request 2' })
  await user.click(screen.getByRole('radio', { name: '1. Busy vendor · 429' }))
  const table = await screen.findByRole('table', { name: 'Upstream answer 1' })
  expect(table.textContent).toContain('application/json')
  const side = (name: string) => screen.getByRole('region', { name }).textContent
  expect(side('Client request')).toContain('POST /v1/chat/completions')
  expect(side('Upstream answer 1')).toContain('429')
  expect(side('Client answer')).toContain('200')
  expect(document.body.textContent).not.toContain('sk-of-the-busy-vendor')
})

test('an answer reads as text with its reasoning folded', async () => {
  const user = await openTab('answer', ids.converted)
  expect(await screen.findByText(/Here are the basic steps/)).toBeTruthy()
  const reasoning = screen.getByText(/^Reasoning · \d+ characters$/).closest('details')
  expect(reasoning?.open).toBe(false)
  await user.click(screen.getByRole('radio', { name: 'Raw' }))
  const upstream = await screen.findByRole('region', { name: 'Upstream answer 1' })
  expect(upstream.textContent).toContain('event: message_start')
  expect(screen.getByRole('region', { name: 'Client answer' }).textContent).toContain(
    'chat.completion.chunk',
  )
})

test('the differences of an answer lead from the upstream’s values to the client’s', async () => {
  const user = await openTab('answer', ids.failover)
  await user.click(await screen.findByRole('radio', { name: 'Differences' }))
  await user.click(await screen.findByRole('radio', { name: '1. Busy vendor · 429' }))
  const list = await screen.findByRole('list', { name: 'Differences' })
  const sideOf = (text: RegExp) =>
    within(list).getByText(text).closest('dl')?.querySelector('dt')?.textContent
  expect(sideOf(/Too fast/)).toBe('Upstream')
  expect(sideOf(/"chat\.completion"/)).toBe('Client')
})

test('bytes that are no text are shown in hex with their size', async () => {
  const user = await openTab('answer', ids.speech)
  await user.click(await screen.findByRole('radio', { name: 'Raw' }))
  const bytes = await screen.findByRole('group', { name: 'Bytes: Upstream answer 1' })
  expect(bytes.textContent).toContain('00000000  89 50 4e 47 0d 0a 1a 0a')
  expect(bytes.textContent).toContain('.PNG')
})

test('a refused request shows the client’s side alone', async () => {
  await openTab('request', ids.bytes)
  const bytes = await screen.findByRole('group', { name: 'Bytes: Client request' })
  expect(bytes.textContent).toContain('00 9f 92 96 ff 0a')
  expect(screen.getByText('No upstream was called.')).toBeTruthy()
  const row = await rowOf(ids.bytes)
  const without = inspectorTabs.filter(({ fits }) => !fits(row)).map(({ id }) => id)
  expect(without).toEqual(['route', 'usage'])
})

test('an event of one side lights those of the other that it became', async () => {
  const user = await openTab('stream', ids.converted)
  const upstream = await screen.findByRole('listbox', { name: 'Upstream events' })
  const client = screen.getByRole('listbox', { name: 'Client events' })
  await user.click(within(upstream).getByText('pedest'))
  expect(within(client).getByText('pedest').closest('[data-linked]')).toBeTruthy()
  expect(await screen.findByText(/^became client event \d+$/)).toBeTruthy()
  upstream.focus()
  await user.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(client)
  const [chosen] = within(client).getAllByRole('option', { selected: true })
  expect(chosen?.textContent).toContain('pedest')
  await user.keyboard('{ArrowDown}')
  expect(within(client).getByRole('option', { selected: true }).textContent).toContain(
    'rian safety',
  )
})

test('space plays the stream from its start and stops it', async () => {
  const user = await openTab('stream', ids.converted)
  const list = await screen.findByRole('listbox', { name: 'Client events' })
  list.focus()
  await user.keyboard(' ')
  const button = screen.getByRole('button', { name: 'Play at 1×' })
  await waitFor(() => expect(button.getAttribute('aria-pressed')).toBe('true'))
  const slider = screen.getByRole('slider', { name: 'Time' })
  expect(Number(slider.getAttribute('aria-valuenow'))).toBeLessThan(1500)
  await user.keyboard(' ')
  expect(button.getAttribute('aria-pressed')).toBe('false')
})

test('the request is written in the other formats, each with its losses', async () => {
  const user = await openTab('formats', ids.converted)
  expect(await screen.findByRole('tree', { name: 'messages' })).toBeTruthy()
  expect(screen.getByRole('list', { name: 'Conversion losses' }).textContent).toContain('seed')
  await user.click(screen.getByRole('radio', { name: 'chat' }))
  expect(await screen.findByText('The request’s own format.')).toBeTruthy()
})

test('pasted JSON is converted; a text that is none stays and is refused beside its field', async () => {
  const user = await openTab('formats', ids.converted)
  await user.click(await screen.findByRole('radio', { name: 'Pasted JSON' }))
  const field = screen.getByRole('textbox', { name: 'Request as JSON' })
  await user.click(field)
  await user.paste('Hello')
  await user.click(screen.getByRole('button', { name: 'Convert' }))
  expect(await screen.findByText('The field "body" must hold a JSON object.')).toBeTruthy()
  expect(field).toHaveProperty('value', 'Hello')
  await user.clear(field)
  await user.paste('{"model":"m","seed":1,"messages":[{"role":"user","content":"Hi"}]}')
  await user.click(screen.getByRole('button', { name: 'Convert' }))
  expect(await screen.findByRole('tree', { name: 'messages' })).toBeTruthy()
  // Another view of the tab doesn’t lose it, and closing the console asks.
  await user.click(screen.getByRole('radio', { name: 'This call' }))
  expect(screen.queryByRole('textbox', { name: 'Request as JSON' })).toBeNull()
  expect(document.documentElement.hasAttribute('data-unsaved')).toBe(true)
  await user.click(screen.getByRole('radio', { name: 'Pasted JSON' }))
  const again = screen.getByRole('textbox', { name: 'Request as JSON' })
  expect(again).toHaveProperty('value', expect.stringContaining('"seed":1'))
  await screen.findByRole('tree', { name: 'messages' })
  await user.clear(again)
  expect(document.documentElement.hasAttribute('data-unsaved')).toBe(false)
})

test('a call without a capture says why, and offers to capture everything', async () => {
  const user = await openTab('request', { ...(await rowOf(ids.failover)), has_capture: false })
  expect(await screen.findByText(/newer calls took its place/)).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Capture everything for 10 minutes' }))
  expect(await screen.findByRole('timer')).toBeTruthy()
  expect(pair.gateway.parts.captures.status().burstUntil).not.toBeNull()
  await user.click(screen.getByRole('button', { name: 'Stop' }))
  await screen.findByRole('button', { name: 'Capture everything for 10 minutes' })
  expect(pair.gateway.parts.captures.status().burstUntil).toBeNull()
})

test('a user who may see no captures is told that, not that the capture is gone', async () => {
  const row = { ...(await rowOf(ids.failover)), has_capture: false }
  const message = 'Only administrators see captures here.'
  const gateway = createFakeGateway({
    'user.self': () => ({ id: 2, username: 'bea', role: 1 }),
    'capture.get': () => {
      throw new CallFailure({ message, code: 'forbidden', status: 403 })
    },
  })
  const { View } = inspectorTabs.find(({ id }) => id === 'request') ?? {}
  if (!View) throw new Error('no such tab')
  renderConsole(gateway, '/calls', <View call={row} />)
  expect(await screen.findByText(message)).toBeTruthy()
  expect(screen.queryByText(/newer calls took its place/)).toBeNull()
})

test('a capture that went between the list and the look is told of in the gateway’s words', async () => {
  await openTab('answer', { ...(await rowOf(ids.failover)), request_id: 'gone' })
  expect(await screen.findByText('No capture of this call')).toBeTruthy()
  expect(screen.getByText(/the gateway restarted/)).toBeTruthy()
})

test('attempts of a call without a capture are still on the timeline', async () => {
  await openTab('timeline', { ...(await rowOf(ids.failover)), has_capture: false })
  expect(await screen.findByRole('region', { name: 'Attempt 1: Busy vendor' })).toBeTruthy()
  expect(await screen.findByText('No capture of this call')).toBeTruthy()
})

test('a body that was cut says at how many bytes', async () => {
  pair.gateway.set({ CaptureBodyMegabytes: 1 })
  const content = 'word '.repeat(300_000)
  const { id } = await pair.send('/v1/chat/completions', {
    body: { model: 'seer', messages: [{ role: 'user', content }] },
  })
  await openTab('request', id)
  const notes = await screen.findAllByText(
    /^Cut at the cap: [\d,]+ of 1,500,\d+ bytes were kept\.$/,
  )
  expect(notes.length).toBeGreaterThan(0)
})

test('a large body is read on part by part, or all at once', async () => {
  pair.gateway.set({ CaptureBodyMegabytes: 8 })
  const content = 'word '.repeat(600_000)
  const { id } = await pair.send('/v1/chat/completions', {
    body: { model: 'seer', messages: [{ role: 'user', content }] },
  })
  const user = await openTab('request', id)
  await screen.findAllByText('≈ 64 KiB of 2.9 MiB shown')
  const [more] = screen.getAllByRole('button', { name: 'Show more' })
  await user.click(more as HTMLElement)
  expect(await screen.findByText('≈ 320 KiB of 2.9 MiB shown')).toBeTruthy()
  const all = screen.getAllByRole('button', { name: 'Show all' })
  await user.click(all[0] as HTMLElement)
  await waitFor(() => {
    expect(screen.queryByText('Reading the body…')).toBeNull()
    expect(screen.getAllByRole('button', { name: 'Show all' })).toHaveLength(all.length - 1)
  })
})

test('a call is copied as cURL with a placeholder for the key', async () => {
  const user = renderConsole(client, '/calls', <CopyAs requestId={ids.failover} />)
  await user.click(await screen.findByRole('button', { name: 'Copy as' }))
  await user.click(await screen.findByRole('menuitem', { name: 'cURL (bash)' }))
  await screen.findByRole('button', { name: 'Copied' })
  const text = await navigator.clipboard.readText()
  expect(text).toContain('curl')
  expect(text).toContain('$SWITCHYARD_TOKEN')
  expect(text).not.toContain(pair.gateway.key)
})

test('the prices of a spoken answer add up to what the call cost', async () => {
  const other = JSON.stringify({
    ...{ model_price: -1, model_ratio: 1.25, completion_ratio: 4 },
    ...{ audio_ratio: 16, audio_completion_ratio: 2, audio_output: 900 },
  })
  const tokens = { prompt_tokens: 400, completion_tokens: 1000, quota: 37_000 }
  await openTab('usage', { ...(await rowOf(ids.failover)), ...tokens, other })
  const rows = (await screen.findAllByRole('row')).map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
  )
  expect(rows.slice(1)).toEqual([
    ['Input', '400', '$2.50', '$0.001'],
    ['Output', '100', '$10.00', '$0.001'],
    ['Audio output', '900', '$80.00', '$0.072'],
  ])
  expect(screen.getByText('$0.074')).toBeTruthy()
})

test('all captures are deleted after a question that names how many', async () => {
  const user = renderConsole(client, '/calls', <CaptureControl />)
  await user.click(await screen.findByRole('button', { name: 'Capture · memory' }))
  await user.click(await screen.findByRole('button', { name: 'Delete all captures' }))
  const question = await screen.findByRole('dialog', { name: 'Delete all captures' })
  expect(question.textContent).toMatch(
    /Deletes the captures of \d+ calls \(.*\), in memory and on disk/,
  )
  await user.click(within(question).getByRole('button', { name: 'Delete all captures' }))
  await waitFor(() => expect(pair.gateway.parts.captures.status().memory.count).toBe(0))
})
