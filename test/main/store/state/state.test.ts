import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import { StartError } from '../../../../main/store/folder/start-error.ts'
import { createChannels } from '../../../../main/store/records/channels.ts'
import { createRoutes } from '../../../../main/store/records/routes.ts'
import { createTokens } from '../../../../main/store/records/tokens.ts'
import { openConfFile } from '../../../../main/store/state/conf-file.ts'
import { openState, type StateFile } from '../../../../main/store/state/state.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { smallDisk } from '../ledger/small-disk.ts'
import { records } from '../records/records.ts'

function startErrorOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return (error as Error).message
  }
  throw new Error('It started.')
}

describe('the state file', () => {
  test('is begun at the first start, for its owner only', () => {
    const folder = tempFolder()
    openState(openConfFile(folder))
    const path = join(folder, 'state.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: 1, users: [] })
    expect(readdirSync(folder)).toEqual(['state.json'])
  })

  test('holds a change as soon as update returns, and again after the next start', () => {
    const folder = tempFolder()
    const state = openState(openConfFile(folder))
    const answer = state.update((draft) => {
      draft.settings.SystemName = 'Yard'
      draft.settings['dotted.name'] = { kept: true }
      return 42
    })
    expect(answer).toBe(42)
    expect(statSync(join(folder, 'state.json')).mode & 0o777).toBe(0o600)
    const again = openState(openConfFile(folder))
    expect(again.data.settings).toEqual({ SystemName: 'Yard', 'dotted.name': { kept: true } })
    expect(readdirSync(folder)).toEqual(['state.json'])
  })

  test('keeps what it does not know, at the top and in records', () => {
    const folder = tempFolder()
    const path = join(folder, 'state.json')
    const state = openState(openConfFile(folder))
    state.update((draft) => {
      draft.sessions.push({ idHash: 'a', userId: 1, data: {}, expiresAt: 9 })
    })
    const stored = JSON.parse(readFileSync(path, 'utf8'))
    stored.orders = [{ id: 1 }]
    stored.sessions[0].device = 'phone'
    writeFileSync(path, `\uFEFF${JSON.stringify(stored)}`)
    openState(openConfFile(folder)).update((draft) => {
      draft.settings.RetryTimes = 5
    })
    const after = JSON.parse(readFileSync(path, 'utf8'))
    expect(after.orders).toEqual([{ id: 1 }])
    expect(after.sessions[0].device).toBe('phone')
  })

  test.each([
    ['is cut off', '{"version": 1, "use', 'not JSON'],
    ['is empty', '', 'not JSON'],
    ['is a list', '[]', 'object'],
    ['has no version', '{"users": []}', 'version'],
    ['is from a newer version', '{"version": 99, "future": 1}', 'newer Switchyard'],
    ['has a field of a wrong type', '{"version": 1, "users": {}}', 'users: '],
    [
      'has a wrong setting',
      '{"version": 1, "settings": {"RetryTimes": "2"}}',
      'settings.RetryTimes',
    ],
    ['has a channel without a name', '{"version": 1, "channels": [{"id": 1}]}', 'channels[0].'],
  ])('that %s is named with the remedy and left byte for byte', (_what, text, said) => {
    const folder = tempFolder()
    const path = join(folder, 'state.json')
    writeFileSync(path, text)
    const message = startErrorOf(() => openState(openConfFile(folder)))
    expect(message).toContain(path)
    expect(message).toContain(said)
    expect(message).toContain('was not changed')
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(folder)).toEqual(['state.json'])
  })

  test('that cannot be read says so', () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'state.json'))
    expect(startErrorOf(() => openState(openConfFile(folder)))).toContain('cannot be read (EISDIR)')
  })

  test('is brought up to date by migrations, the old one copied first', () => {
    const folder = tempFolder()
    openState(openConfFile(folder)).update((draft) => {
      draft.settings.SystemName = 'Old'
    })
    const before = readFileSync(join(folder, 'state.json'), 'utf8')
    const rename = (data: Record<string, unknown>) => {
      data.settings = { SystemName: 'New' }
    }
    const state = openState(openConfFile(folder), [rename])
    expect(state.data).toMatchObject({ version: 2, settings: { SystemName: 'New' } })
    expect(readFileSync(join(folder, 'state.v1.json'), 'utf8')).toBe(before)
    expect(statSync(join(folder, 'state.v1.json')).mode & 0o777).toBe(0o600)
    expect(openState(openConfFile(folder), [rename]).data.version).toBe(2)
  })

  test('never gives out an id twice, even when it was edited by hand', () => {
    const folder = tempFolder()
    openState(openConfFile(folder)).update((draft) => {
      draft.nextId.user = 1
      draft.users.push({
        ...{ id: 7, username: 'a', displayName: '', passwordHash: null, role: 1, status: 1 },
        ...{ email: '', group: 'default', quota: 0, accessToken: null, language: '', setting: '' },
        ...{ createdTime: 0, remark: '', stripeCustomer: '', twoFactor: null, deletedAt: null },
      })
    })
    expect(openState(openConfFile(folder)).data.nextId.user).toBe(8)
  })

  test('gives a new channel, token or route no id of another that was written by hand', () => {
    const { folder, state, box } = records()
    const channels = createChannels(state, box)
    const tokens = createTokens(state, box)
    const routes = createRoutes(state)
    for (const name of ['a', 'b']) {
      channels.create({ type: 1, name })
      tokens.create({ userId: 1, name })
      routes.create({ name, targets: [] })
    }
    state.update((draft) => {
      Object.assign(draft.nextId, { channel: 1, token: 1, route: 1 })
    })
    expect(openState(openConfFile(folder)).data.nextId).toMatchObject({
      ...{ channel: 3, token: 3, route: 3 },
    })
  })
})

describe('a change of the state', () => {
  test('that cannot be written changes nothing and says so', () => {
    const folder = tempFolder()
    let isFull = false
    const file: StateFile = {
      path: join(folder, 'state.json'),
      write() {
        if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      },
    }
    const state = openState(file)
    let heard = 0
    state.onChange(() => heard++)
    isFull = true
    const change = () =>
      state.update((draft) => {
        draft.settings.RetryTimes = 9
      })
    expect(change).toThrow(GatewayError)
    expect(change).toThrow(/Nothing was saved.*ENOSPC/)
    expect(state.data.settings).toEqual({})
    expect(heard).toBe(0)
    isFull = false
    change()
    expect(state.data.settings).toEqual({ RetryTimes: 9 })
    expect(heard).toBe(1)
  })

  test('that throws half-way leaves everything as it was', () => {
    const state = openState(openConfFile(tempFolder()))
    expect(() =>
      state.update((draft) => {
        draft.settings.RetryTimes = 9
        throw new Error('stop')
      }),
    ).toThrow('stop')
    expect(state.data.settings).toEqual({})
  })

  test('that could not be read again never reaches the file', () => {
    const folder = tempFolder()
    const state = openState(openConfFile(folder))
    const before = readFileSync(join(folder, 'state.json'), 'utf8')
    expect(() =>
      state.update((draft) => {
        draft.nextId.user = Number.NaN
      }),
    ).toThrow('nextId.user')
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe(before)
  })

  test('leaves every record that it did not touch the same object', () => {
    const { state, box } = records()
    const channels = createChannels(state, box)
    const [first, second] = channels.createMany([
      { type: 1, name: 'a', key: 'k' },
      { type: 1, name: 'b', key: 'k' },
    ])
    const [stored] = state.data.channels
    const { tokens } = state.data
    channels.update(second?.id ?? 0, { name: 'c' })
    expect(state.data.channels[0]).toBe(stored)
    expect(state.data.tokens).toBe(tokens)
    expect(channels.all()[0]).toBe(first)
    expect(channels.all()[1]).not.toBe(second)
    expect(Object.isFrozen(state.data.channels[1]?.models)).toBe(true)
  })

  test('that changes nothing writes nothing', () => {
    let writes = 0
    const state = openState({ path: join(tempFolder(), 'state.json'), write: () => void writes++ })
    let heard = 0
    state.onChange(() => heard++)
    const put = (value: number) =>
      state.update((draft) => {
        draft.settings.RetryTimes = value
        return 'answer'
      })
    put(3)
    expect(put(3)).toBe('answer')
    expect([writes, heard]).toEqual([2, 1])
  })

  test.each([
    ['name', 'channels[1].name', { name: 7 }],
    ['id of another', 'channels[1].id: 1 is used twice', { id: 1 }],
    ['status', 'channels[1].status', { status: 9 }],
  ])('of one record is checked: a wrong %s', (_what, said, fields) => {
    const { state, box } = records()
    createChannels(state, box).createMany([
      { type: 1, name: 'a' },
      { type: 1, name: 'b' },
    ])
    const before = state.data
    expect(() =>
      state.update((draft) => void Object.assign(draft.channels[1] as object, fields)),
    ).toThrow(said)
    expect(state.data).toBe(before)
  })

  test('in the middle of ten thousand records touches that record alone, and the file is as it should be', () => {
    const { state, box, folder } = records()
    const channels = createChannels(state, box)
    channels.createMany(
      Array.from({ length: 10_000 }, (_, index) => ({ type: 1, name: `channel ${index}` })),
    )
    const [before, opened] = [state.data.channels, channels.all()]
    channels.update(5000, { name: 'é' })
    const changed = (now: readonly unknown[], old: readonly unknown[]) =>
      now.flatMap((record, place) => (record === old[place] ? [] : [place]))
    expect(changed(state.data.channels, before)).toEqual([4999])
    expect(changed(channels.all(), opened)).toEqual([4999])
    const text = readFileSync(join(folder, 'state.json'), 'utf8')
    expect(text).toBe(`${JSON.stringify(state.data, undefined, 2)}\n`)
    expect(openState(openConfFile(folder)).data).toEqual(state.data)
  })

  test('cannot be made past update', () => {
    const state = openState(openConfFile(tempFolder()))
    expect(() => (state.data.users as unknown[]).push({})).toThrow(TypeError)
  })
})

describe('on a full disk', () => {
  test('the file stays whole, nothing half is left, and it goes on when there is room', (context) => {
    const folder = smallDisk(128 * 1024)
    if (!folder) return context.skip('mounting is not allowed here')
    const path = join(folder, 'state.json')
    const state = openState(openConfFile(folder))
    const put = (size: number) =>
      state.update((draft) => {
        draft.settings.note = 'x'.repeat(size)
      })
    put(40_000)
    const before = readFileSync(path)
    // Room for some of the new file but not for all of it: the write is cut short without an error.
    expect(() => put(100_000)).toThrow(/Nothing was saved.*ENOSPC/)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(folder)).toEqual(['state.json'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    put(41_000)
    expect(openState(openConfFile(folder)).data.settings.note).toHaveLength(41_000)

    writeFileSync(join(folder, 'filler'), Buffer.alloc(128 * 1024 - 4096 * 12), { flag: 'a' })
    expect(() => put(60_000)).toThrow(/Nothing was saved/)
    expect(openState(openConfFile(folder)).data.settings.note).toHaveLength(41_000)
  })

  test('a first start says that the file cannot be written', (context) => {
    const folder = smallDisk(16 * 1024)
    if (!folder) return context.skip('mounting is not allowed here')
    try {
      writeFileSync(join(folder, 'filler'), Buffer.alloc(64 * 1024))
    } catch {
      // Full now.
    }
    const message = startErrorOf(() => openState(openConfFile(folder)))
    expect(message).toContain('cannot be written')
    expect(message).toContain('Make room')
    expect(readdirSync(folder)).toEqual(['filler'])
  })

  test('a half file of a process that was killed is cleared away', () => {
    const folder = tempFolder()
    openState(openConfFile(folder))
    writeFileSync(join(folder, 'state.json.tmp-1234567890abcdef'), '{"ver')
    chmodSync(join(folder, 'state.json.tmp-1234567890abcdef'), 0o600)
    openState(openConfFile(folder)).update((draft) => {
      draft.settings.RetryTimes = 1
    })
    expect(readdirSync(folder)).toEqual(['state.json'])
  })
})
