import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { badKey, completion, keyStatusesOf, type Staged, withVendor } from './vendor-by-key.ts'

const BAD = 'sk-bad-0123456789abcdef'
const GOOD = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `sk-good-0123456789-${name.repeat(6)}`)
const CALLS = 200
const AT_ONCE = 20
/** Milliseconds for all of them. */
const SLOW = 60_000

interface Made {
  status: number
  requestId: string
}

async function makeCalls({ gateway }: Staged): Promise<Made[]> {
  const { key } = gateway.parts.tokens.create({ userId: 1, name: 'tool', unlimitedQuota: true })
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
  const made: Made[] = []
  const left = Array.from({ length: CALLS }, (_, index) => index).values()
  const work = async () => {
    for (const index of left) {
      const messages = [{ role: 'user', content: `call ${index}` }]
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        ...{ method: 'POST', headers, body: JSON.stringify({ model: 'gpt-a', messages }) },
      })
      await response.text()
      const requestId = response.headers.get('x-oneapi-request-id') ?? ''
      made[index] = { status: response.status, requestId }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return made
}

/** Edits the keys without end: adds, disables, enables, moves and deletes. Gives every list of keys that there was. */
async function editKeys(stage: Staged, id: number, isOver: () => boolean): Promise<string[][]> {
  const { owner, gateway } = stage
  const keys = () => (gateway.parts.channels.byId(id)?.key ?? '').split('\n')
  const lists = [keys()]
  const put = (fields: object) => owner.send('PUT', '/api/channel/', { id, ...fields })
  const manage = (action: string, key: string) =>
    owner.send('POST', '/api/channel/multi_key/manage', {
      ...{ channel_id: id, action, key_index: keys().indexOf(key) },
    })
  const [first = '', second = '', third = '', ...rest] = GOOD
  const edits = [
    () => put({ key: rest.join('\n'), key_mode: 'append' }),
    () => put({ key: keys().toReversed().join('\n'), key_mode: 'replace' }),
    () => manage('disable_key', first),
    () => manage('delete_key', second),
    () => manage('enable_key', BAD),
    () => put({ key: [...keys().slice(2), ...keys().slice(0, 2)].join('\n'), key_mode: 'replace' }),
    () => manage('enable_key', first),
    () => put({ key: `${keys().join('\n')}\n${second}`, key_mode: 'replace' }),
    () => manage('disable_key', third),
    () => put({ key: [BAD, first, second, third].join('\n'), key_mode: 'replace' }),
    () => manage('enable_key', third),
  ]
  for (let round = 0; !isOver(); round++) {
    const { status, body } = (await edits[round % edits.length]?.()) ?? {}
    expect(status, body?.message).toBe(200)
    lists.push(keys())
    await sleep(3)
  }
  return lists
}

test(
  'keys that are edited while calls run make no call with a good key fail, and no other key takes the blame',
  async () => {
    const delayed = GOOD.map((key, index) => [key, { body: completion, delay: 5 * index }] as const)
    const stage = await withVendor({
      ...Object.fromEntries(delayed),
      [BAD]: { ...badKey(BAD), delay: 40 },
    })
    const key = [...GOOD.slice(0, 3), BAD].join('\n')
    const id = stage.add({ key, multiKeyMode: 'polling' })
    let isOver = false
    const editing = editKeys(stage, id, () => isOver)
    const made = await makeCalls(stage)
    isOver = true
    const lists = await editing
    expect(lists.length).toBeGreaterThan(10)

    const used = new Map(
      stage.upstream.requests.map((request) => {
        const { messages } = request.json() as { messages: { content: string }[] }
        const sent = String(request.headers.authorization).replace('Bearer ', '')
        return [messages[0]?.content ?? '', sent] as const
      }),
    )
    // None was asked twice, and none was never asked.
    expect([used.size, stage.upstream.requests.length]).toEqual([CALLS, CALLS])
    const rows = new Map(
      stage.gateway.parts.ledger
        .list({}, { page: 1, pageSize: 1000 })
        .items.map((row) => [row.requestId, row]),
    )
    for (const [index, { status, requestId }] of made.entries()) {
      const sent = used.get(`call ${index}`) ?? ''
      expect(status, sent).toBe(sent === BAD ? 502 : 200)
      const { multi_key_index: at } = JSON.parse(rows.get(requestId)?.other ?? '{}').admin_info
      expect(
        lists.some((list) => list[at] === sent),
        `${sent} at ${at}`,
      ).toBe(true)
    }
    expect([...used.values()]).toContain(BAD)

    const last = lists.at(-1) ?? []
    const { keyStates = [] } = stage.gateway.parts.channels.byId(id) ?? {}
    for (const [index, state] of keyStates.entries()) {
      if (state.status === 3) expect(last[index]).toBe(BAD)
    }
    expect(keyStatusesOf(stage, id)?.filter((status) => status === 3).length ?? 0).toBeLessThan(2)
  },
  SLOW,
)
