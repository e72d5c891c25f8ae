import { nativeImage } from 'electron'
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { quotaText } from '../../main/base/quota-text.ts'
import { createConsoleCalls } from '../../main/desktop/console-calls.ts'
import { desktopTexts } from '../../main/desktop/desktop-texts.ts'
import { AppTray, type AppTrayOptions } from '../../main/desktop/tray/app-tray.ts'
import type { CallRow } from '../../main/store/ledger/ledger.ts'
import { createFormat } from '../../renderer/components/format/use-format.ts'
import { vendorClients } from '../support/clients/vendor-clients.ts'
import { app } from '../support/electron/app.ts'
import { Tray } from '../support/electron/tray.ts'
import { startTestGateway, type TestGateway } from '../support/gateway/start-test-gateway.ts'

vi.mock('electron', () => import('../support/electron/electron.ts'))

const image = nativeImage.createFromPath('main/desktop/tray-icons/tray.png')
let gateway: TestGateway
let shown: AppTray
let opened: (string | undefined)[]

beforeAll(async () => {
  app.becomeReady()
  // Half of the program, which the first operation loads.
  await import('../../main/manage/operation/invoke.ts')
})
beforeEach(async () => {
  gateway = await startTestGateway()
  opened = []
})
afterEach(async () => {
  shown?.destroy()
  await gateway.close()
})

const tray = (): Tray => {
  const last = Tray.all.at(-1)
  if (!last) throw new Error('There is no tray')
  return last
}

function show(options: Partial<AppTrayOptions> = {}): void {
  const { parts } = gateway
  shown = new AppTray({
    parts,
    calls: createConsoleCalls(parts),
    image,
    takenPort: null,
    texts: desktopTexts('en-US'),
    locale: 'en-US',
    log: parts.log,
    open: (path) => opened.push(path),
    copyBaseUrl: () => opened.push('copied'),
    quit: () => opened.push('quit'),
    ...options,
  })
}

const seen = (id: string) =>
  tray()
    .seen.flatMap((item) => [item, ...item.items])
    .find((item) => item.id === id)
const labelOf = (id: string) => seen(id)?.label

const row = (fields: Partial<CallRow>): CallRow => ({
  ...{ requestId: 'r', createdAt: Math.floor(Date.now() / 1000), type: 2, userId: 1 },
  ...{ username: 'owner', tokenId: 1, tokenName: 'test', channelId: 1, channelName: 'Work' },
  ...{ model: 'm', group: 'default', ip: '', content: '', quota: 0, promptTokens: 1 },
  ...{ completionTokens: 1, useTime: 1, isStream: false, status: 200, other: '{}' },
  ...{ cachedTokens: 0, isUnpriced: false, isEstimated: false },
  ...fields,
})

describe('the figures', () => {
  test('are today’s spend, the daily budgets and the calls under way', async () => {
    await gateway.parts.ledger.record(row({ quota: 600_000 }))
    const yesterday = Math.floor(Date.now() / 1000) - 90_000
    await gateway.parts.ledger.record(row({ quota: 5_000_000, createdAt: yesterday }))
    gateway.addToken({ name: 'a', dayBudget: 1_000_000 })
    gateway.addToken({ name: 'b', dayBudget: 1_500_000 })
    show()
    expect(labelOf('spent')).toBe('Spent today: $1.20')
    expect(labelOf('budget')).toBe('Daily budget: $0.00 of $5.00')
    expect(labelOf('calls')).toBe('Running calls: 0')
  })

  test('are dashes where nothing is known, and never 0', async () => {
    await gateway.parts.ledger.record(row({ isUnpriced: true }))
    show()
    expect(labelOf('spent')).toBe('Spent today: –')
    expect(labelOf('budget')).toBe('Daily budget: –')
  })

  test('begin anew at each midnight, also where nothing else happens', async () => {
    const evening = new Date().setHours(23, 59, 58, 0)
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: evening })
    onTestFinished(() => void vi.useRealTimers())
    await gateway.parts.ledger.record(row({ quota: 600_000 }))
    show()
    vi.advanceTimersByTime(2_500)
    expect(labelOf('spent')).toBe('Spent today: $1.20')
    vi.advanceTimersByTime(1_000)
    expect(labelOf('spent')).toBe('Spent today: $0.00')
    await gateway.parts.ledger.record(row({ quota: 1_000_000 }))
    vi.advanceTimersByTime(3_000)
    expect(labelOf('spent')).toBe('Spent today: $2.00')
    vi.advanceTimersByTime(86_400_000)
    expect(labelOf('spent')).toBe('Spent today: $0.00')
  })

  test.each([
    ['estimated', { isEstimated: true }],
    ['unpriced', { isUnpriced: true }],
  ])('carry ≈ once a call of today is %s', async (_name, fields) => {
    await gateway.parts.ledger.record(row({ quota: 600_000 }))
    show()
    expect(labelOf('spent')).toBe('Spent today: $1.20')
    await gateway.parts.ledger.record(row(fields))
    shown.refresh()
    expect(labelOf('spent')).toBe('Spent today: ≈ $1.20')
  })

  const amounts = [0, 0.0125, 0.4, 1, 600, 49_999, 50_000, 443_750, 499_990, 512_500, 1_234_567]
  test.each([...amounts, -700_000, 123_456_789_012_345])(
    'write %d units as the console does',
    (units) => {
      for (const language of ['en', 'zh-CN']) {
        expect(quotaText(units, language)).toBe(createFormat(language).money(units))
      }
    },
  )
})

describe('the last failures', () => {
  test('are the three latest, and a click opens that call', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (let one = 1; one <= 4; one++) {
      const failed = { type: 5 as const, status: 502, content: 'It broke off.\nAll of it.' }
      const at = { createdAt: now - 10 + one, requestId: `req/${one}` }
      await gateway.parts.ledger.record(row({ ...failed, ...at }))
    }
    show()
    expect(labelOf('failure-1')).toMatch(/^\d\d:\d\d · Work · 502 It broke off\. All of it\.$/)
    expect(seen('failure-4')).toBeUndefined()
    tray().choose('failure-1')
    tray().choose('failure-3')
    expect(opened).toEqual(['/calls?open=req%2F4', '/calls?open=req%2F2'])
  })

  test('are not those that the pause itself has made', async () => {
    const other = '{"error_code":"gateway_paused"}'
    await gateway.parts.ledger.record(row({ type: 5, status: 503, other }))
    show()
    expect(seen('no-failures')).toMatchObject({ label: 'No failures', enabled: false })
  })

  test('and a long name is shortened, one that just fits is not', () => {
    gateway.addChannel({ name: 'a'.repeat(32) })
    gateway.addChannel({ name: 'b'.repeat(33) })
    show({ platform: 'darwin' })
    const labels = [1, 2].map((id) => labelOf(`channel-${id}`))
    expect(labels).toEqual(['a'.repeat(32), `${'b'.repeat(31)}…`])
  })

  test('and names show an & as it is, where systems take one for a shortcut', () => {
    gateway.addChannel({ name: 'R&D' })
    show({ platform: 'linux' })
    expect(labelOf('channel-1')).toBe('R&&D')
    shown.destroy()
    show({ platform: 'darwin' })
    expect(tray().menu?.getMenuItemById('channel-1')?.label).toBe('R&D')
  })
})

describe('pausing from the tray', () => {
  test('refuses new calls, is shown in menu and tooltip, and ends by a click', async () => {
    show()
    const ask = () => vendorClients(gateway).openai.models.retrieve('model-a')
    const chat = () =>
      vendorClients(gateway).openai.chat.completions.create({
        model: 'model-a',
        messages: [{ role: 'user', content: 'Hi' }],
      })
    expect(tray().toolTip).toBe(`Switchyard · ${gateway.url}`)
    tray().choose('pause')
    await expect.poll(() => labelOf('pause')).toBe('Resume')
    expect(tray().toolTip).toBe(`Switchyard · ${gateway.url} · paused`)
    expect(labelOf('state')).toMatch(/^Switchyard · paused since \d\d:\d\d$/)
    await expect(chat()).rejects.toMatchObject({ status: 503, code: 'gateway_paused' })
    await expect(ask()).rejects.toMatchObject({ status: 404 })
    tray().choose('pause')
    await expect.poll(() => labelOf('pause')).toBe('Pause: refuse new calls')
    await expect(chat()).rejects.not.toMatchObject({ code: 'gateway_paused' })
  })

  test('elsewhere is seen in the tray, too', async () => {
    show()
    gateway.set({ PausedSince: Math.floor(Date.now() / 1000) })
    gateway.parts.events.emit('server')
    await expect.poll(() => tray().toolTip).toContain('paused')
  })
})

describe('the channels', () => {
  test('are switched off and on as in the console', async () => {
    const { id } = gateway.addChannel({ name: 'Work' })
    show()
    expect(seen(`channel-${id}`)).toMatchObject({ type: 'checkbox', checked: true })
    tray().choose(`channel-${id}`)
    await expect.poll(() => gateway.parts.channels.byId(id)?.status).toBe(2)
    await expect.poll(() => seen(`channel-${id}`)?.checked).toBe(false)
    // As the console's own: who has done it stands with the channel.
    expect(gateway.parts.channels.byId(id)?.otherInfo).toContain('owner')
    tray().choose(`channel-${id}`)
    await expect.poll(() => gateway.parts.channels.byId(id)?.status).toBe(1)
    await expect.poll(() => seen(`channel-${id}`)?.checked).toBe(true)
  })

  test('say it when a switch could not be thrown: the check stands as it is, and the console opens', async () => {
    const { id } = gateway.addChannel({ name: 'Work' })
    const error = { status: 500, message: 'No', code: 'internal', requestId: 'x' }
    show({ calls: { call: async () => ({ ok: false, error }) as never } })
    const before = tray().sets
    tray().choose(`channel-${id}`)
    await expect.poll(() => tray().sets).toBeGreaterThan(before)
    expect(seen(`channel-${id}`)?.checked).toBe(true)
    expect(opened).toEqual([undefined])
  })
})

describe('the menu', () => {
  test('is not set again while nothing has changed', () => {
    show()
    for (let count = 0; count < 10; count++) shown.refresh()
    expect(tray().sets).toBe(1)
  })

  test('is not replaced while it is open, and is as new once it is closed', async () => {
    show()
    // The stand-in throws when an open menu is replaced.
    tray().openMenu()
    await gateway.parts.ledger.record(row({ quota: 600_000 }))
    shown.refresh()
    expect(tray().sets).toBe(1)
    tray().closeMenu()
    await expect.poll(() => labelOf('spent')).toBe('Spent today: $1.20')
  })

  test('is as new at once when it is closed, without waiting for the next look', async () => {
    show()
    tray().openMenu()
    await gateway.parts.ledger.record(row({ quota: 600_000 }))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    tray().closeMenu()
    vi.advanceTimersByTime(0)
    expect(labelOf('spent')).toBe('Spent today: $1.20')
  })

  test('is set at most every two seconds, whatever the traffic', async () => {
    show()
    const began = performance.now()
    while (performance.now() - began < 1_500) {
      await gateway.parts.ledger.record(row({ quota: 1_000 }))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { sets } = tray()
    expect(sets).toBeLessThanOrEqual(1 + (performance.now() - began) / 2_000)
    await expect.poll(() => tray().sets).toBe(sets + 1)
  })

  test('opens pages of the console, copies the address and quits', () => {
    show()
    for (const id of ['open', 'open-calls', 'open-channels', 'open-playground', 'open-settings'])
      tray().choose(id)
    tray().choose('copy-base-url')
    tray().choose('quit')
    const pages = [undefined, '/calls', '/channels', '/playground', '/settings']
    expect(opened).toEqual([...pages, 'copied', 'quit'])
  })

  test.each([
    ['darwin', []],
    ['linux', [undefined]],
    ['win32', [undefined]],
  ] as const)('on %s a click on the icon does one thing', (platform, expected) => {
    show({ platform })
    tray().emit('click', {}, {}, {})
    expect(opened).toEqual(expected)
  })

  test('is left alone once the tray is gone', async () => {
    show()
    shown.destroy()
    gateway.parts.events.emit('server')
    shown.refresh()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(tray().isDestroyed()).toBe(true)
  })
})
