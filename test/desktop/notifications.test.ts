import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { desktopTexts } from '../../main/desktop/desktop-texts.ts'
import { Notifier } from '../../main/desktop/notifications/notifier.ts'
import { notifyIncidents } from '../../main/desktop/notifications/notify-incidents.ts'
import { app } from '../support/electron/app.ts'
import { Notification } from '../support/electron/notification.ts'
import { startTestGateway, type TestGateway } from '../support/gateway/start-test-gateway.ts'
import { startUpstream } from '../support/upstreams/scripted-upstream.ts'

vi.mock('electron', () => import('../support/electron/electron.ts'))

let gateway: TestGateway
let close: () => Promise<void>
let opened: (string | undefined)[]
let warnings: unknown[]

beforeAll(() => app.becomeReady())
beforeEach(async () => {
  const upstream = await startUpstream(() => ({ status: 401, body: { error: { message: 'No' } } }))
  gateway = await startTestGateway()
  gateway.addChannel({ name: 'Work', baseUrl: upstream.url })
  opened = []
  warnings = []
  Notification.all.length = 0
  const log = { ...gateway.parts.log, warn: (fact: unknown) => warnings.push(fact) } as never
  const notifier = new Notifier({ open: (path) => opened.push(path), log })
  const end = notifyIncidents(gateway.parts, notifier, desktopTexts('en-US'))
  close = async () => {
    end()
    await gateway.close()
    await upstream.close()
  }
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await close()
})

async function call(): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'model-a', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
}

describe('a refused key', () => {
  test('is shown once, without the key, and a click opens its channel', async () => {
    await call()
    gateway.parts.health.forget(1)
    await call()
    expect(Notification.all).toHaveLength(1)
    const [notification] = Notification.all
    expect(notification).toMatchObject({
      title: 'Channel key refused',
      body: 'The key of channel “Work” was refused with status 401. Enter a new one.',
      isShown: true,
    })
    notification?.clickIt()
    expect(opened).toEqual(['/channels?open=1'])
  })

  test('is not shown while its option is off', async () => {
    gateway.set({ DesktopNotifyKeyRefused: false })
    await call()
    expect(Notification.all).toEqual([])
  })
})

test.each([
  ['DesktopNotifyBudget', 'budget', '/tokens'],
  ['DesktopNotifyChannel', 'channel', '/channels?open=1'],
] as const)('%s switches its own kind off and on', (option, kind, path) => {
  const raise = (cause: string) =>
    gateway.parts.incidents.raise(
      kind === 'budget'
        ? { kind, cause, what: 'day-budget', name: 'laptop' }
        : { kind, cause, channelId: 1, channelName: 'Work', how: 'cooling', reason: 'status 500' },
    )
  gateway.set({ [option]: false })
  raise('a')
  expect(Notification.all).toHaveLength(0)
  gateway.set({ [option]: true })
  raise('b')
  Notification.all[0]?.clickIt()
  expect(opened).toEqual([path])
})

test('a system without notifications, or a user who refuses them, is no failure and one line in the log', async () => {
  for (const state of ['none', 'refused']) {
    vi.stubEnv('STAND_IN_NOTIFICATIONS', state)
    for (const cause of [`${state} 1`, `${state} 2`]) {
      gateway.parts.incidents.raise({ kind: 'budget', cause, what: 'token-quota', name: 'x' })
    }
  }
  expect(Notification.all.filter(({ isShown }) => isShown)).toEqual([])
  expect(warnings).toHaveLength(1)
})
