import { expect, test } from 'vitest'
import { desktopTexts } from '../../main/desktop/desktop-texts.ts'
import type { Notice } from '../../main/desktop/notifications/notifier.ts'
import { notifyIncidents } from '../../main/desktop/notifications/notify-incidents.ts'
import { startTestGateway } from '../support/gateway/start-test-gateway.ts'

test('of a vendor that says a lot a notification shows the beginning', async () => {
  const gateway = await startTestGateway()
  const shown: Notice[] = []
  const notifier = { show: (notice: Notice) => void shown.push(notice) }
  const end = notifyIncidents(gateway.parts, notifier, desktopTexts('en-US'))
  const reason = `Your account is suspended. ${'Write to our support. '.repeat(40)}`
  const channel = { channelId: 3, channelName: 'Work', how: 'disabled' } as const
  gateway.parts.incidents.raise({ cause: 'channel:3', kind: 'channel', ...channel, reason })
  expect(shown).toMatchObject([{ body: reason.slice(0, 160), path: '/channels?open=3' }])
  end()
  await gateway.close()
})
