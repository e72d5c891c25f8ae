import { expect, test } from 'vitest'
import { createConsoleCalls } from '../../../../main/desktop/console-calls.ts'
import { createFakeDesktop } from '../desktop/fake-desktop.ts'
import { startManagement } from '../management.ts'

const KEY = 'sk-test-link-0123456789'
const good = `switchyard://import?name=Relay&base_url=https%3A%2F%2Frelay.example.com%2Fv1&key=${KEY}&models=one,two&later=1`
const byVendor = 'switchyard://import/?vendor=deepseek&models=deepseek-v4-pro'
const links = [
  good,
  byVendor,
  'switchyard://open?name=x',
  'switchyard://import?name=x',
  'switchyard://import?base_url=javascript:alert(1)',
  `switchyard://import?base_url=https://relay.example.com&models=${'m'.repeat(9000)}`,
  'switchyard://import?base_url=https://relay.example.com&api=telepathy',
  'switchyard://import?vendor=nobody',
]

async function openLinks(given: readonly string[] = links) {
  const management = await startManagement({ desktop: createFakeDesktop([...given]) })
  const calls = createConsoleCalls(management.gateway.parts)
  const read = async (id: number) => {
    const answer = await calls.call('transfer.link', { id })
    return (answer.ok ? answer.data : answer.error) as Record<string, never>
  }
  return { ...management, calls, read }
}

test('a link shows its host, a masked key and what would be added, and adds nothing by itself', async () => {
  const { gateway, read } = await openLinks()
  const shown = await read(1)
  expect(shown).toMatchObject({
    problem: null,
    channels: [
      {
        ...{ name: 'Relay', base_url: 'https://relay.example.com/v1' },
        ...{ masked_key: 'sk-…6789', models: ['one', 'two'] },
      },
    ],
    preview: {
      items: [{ part: 'channels', name: 'Relay', state: 'new' }],
      left_out: [{ name: 'later' }],
    },
  })
  expect(JSON.stringify(shown)).not.toContain(KEY)
  expect(await read(2)).toMatchObject({ channels: [{ name: 'DeepSeek', masked_key: '' }] })
  expect(gateway.parts.channels.all()).toEqual([])
})

test('a stranger’s link can’t turn or hide its name, and is told by code where it can’t be read', async () => {
  const name = encodeURIComponent('\u202Etfosorcim\u202C\u0000 \u200BRelay\n')
  const named = `SWITCHYARD://IMPORT?name=${name}&base_url=http://relay.example.com&key=k&models=one`
  const { calls } = await openLinks([named, 'switchyard://open'])
  const answers = [
    await calls.call('transfer.link', { id: 1 }),
    await calls.call('transfer.link', { id: 2 }),
  ]
  expect(answers).toMatchObject([
    { ok: true, data: { channels: [{ name: 'tfosorcim Relay' }], problem_reason: null } },
    { ok: true, data: { problem_reason: { code: 'link_form' } } },
  ])
})

test('junk in a link is refused in words', async () => {
  const { read } = await openLinks()
  const problems = []
  for (let id = 3; id <= links.length; id++) problems.push((await read(id)).problem)
  expect(problems).toMatchObject([
    expect.stringContaining('isn’t of the form switchyard://import'),
    expect.stringContaining('neither a vendor nor a base_url'),
    expect.stringContaining('no address of a vendor'),
    expect.stringContaining('longer than 8192 characters'),
    expect.stringContaining('openai, anthropic, gemini'),
    expect.stringContaining('“nobody”'),
  ])
  expect(await read(99)).toMatchObject({ code: 'not_found' })
})

test('only the window reads it, and a pasted one is imported like a file', async () => {
  const { owner } = await openLinks()
  expect((await owner.get('/api/transfer/link?id=1')).status).toBe(404)
  const { body } = await owner.send('POST', '/api/transfer/preview', { text: good })
  expect(body.data).toMatchObject({ from: 'switchyard-link', items: [{ name: 'Relay' }] })
})

test('a pasted link shows where its channel’s calls would go, and that it is in the clear', async () => {
  const { owner } = await openLinks()
  for (const [text, of] of [
    [good, 'relay.example.com'],
    [good.replace('https', 'http'), 'http://relay.example.com'],
  ]) {
    const { body } = await owner.send('POST', '/api/transfer/preview', { text })
    expect(body.data.items[0].notes).toContainEqual({ code: 'goes_to', of })
  }
})
