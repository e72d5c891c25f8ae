import { describe, expect, test } from 'vitest'
import { createConsoleCalls } from '../../../../main/desktop/console-calls.ts'
import { startManagement } from '../management.ts'
import { createFakeDesktop } from './fake-desktop.ts'

const login = { open_at_login: true, start_hidden: false }

describe('headless', () => {
  test('there is nothing of the desktop to see or to set', async () => {
    const { owner } = await startManagement()
    expect((await owner.get('/api/desktop')).body.data).toEqual({
      available: false,
      in_window: false,
      login: null,
      update: null,
      chromium: null,
    })
    for (const [method, path, body] of [
      ['PUT', '/api/desktop/login_item', login],
      ['POST', '/api/desktop/update_check', {}],
      ['POST', '/api/desktop/open_folder', {}],
    ] as const) {
      const answer = await owner.send(method, path, body)
      expect(answer.status, path).toBe(409)
      expect(answer.body.message).toMatch(/Only the desktop app can do this/)
    }
  })
})

describe('in the desktop', () => {
  test('starting at login is switched, and what the system says is shown', async () => {
    const { owner, gateway } = await startManagement({ desktop: createFakeDesktop() })
    const before = (await owner.get('/api/desktop')).body.data
    // Nothing is registered yet: the switch shows how it would start.
    expect(before.login).toMatchObject({ open_at_login: false, start_hidden: true })
    const { body } = await owner.send('PUT', '/api/desktop/login_item', login)
    expect(body.data.login).toMatchObject(login)
    expect(gateway.parts.settings.current.DesktopStartHidden).toBe(false)
  })

  test('what the system refuses changes no setting', async () => {
    const desktop = createFakeDesktop()
    desktop.writeLoginItem = async () => {
      throw new Error('The disk is full')
    }
    const { owner, gateway } = await startManagement({ desktop })
    const { status } = await owner.send('PUT', '/api/desktop/login_item', login)
    expect(status).toBe(500)
    expect(gateway.parts.settings.current.DesktopStartHidden).toBe(true)
  })

  test('a browser cannot open a folder on the machine of the gateway', async () => {
    const desktop = createFakeDesktop()
    const { owner } = await startManagement({ desktop })
    const { status, body } = await owner.send('POST', '/api/desktop/open_folder', {})
    expect(status).toBe(403)
    expect(body.message).toMatch(/window of the desktop app/)
    expect(desktop.opened).toEqual([])
  })

  test('its window opens the data folder, and says why the system could not', async () => {
    const desktop = createFakeDesktop()
    const { gateway } = await startManagement({ desktop })
    const { parts } = gateway
    const window = createConsoleCalls(parts)
    expect(await window.call('desktop.open-folder', {})).toMatchObject({ ok: true })
    expect(desktop.opened).toEqual([parts.dataFolder])
    const problem = 'No application opens folders'
    desktop.openFolder = async () => problem
    expect(await window.call('desktop.open-folder', {})).toMatchObject({
      ok: false,
      error: {
        message: expect.stringContaining(`${parts.dataFolder}: "${problem}"`),
        reason: { code: 'folder_not_opened', folder: parts.dataFolder, problem },
      },
    })
  })
})
