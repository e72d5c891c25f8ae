import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startsHidden } from '../../../../main/desktop/system/hidden-start.ts'
import { type LoginItemPlace, loginItemOf } from '../../../../main/desktop/system/login-item.ts'
import { LoginItems } from '../../../support/electron/login-items.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'switchyard-login-'))
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

function placeOn(platform: NodeJS.Platform, fields: Partial<LoginItemPlace> = {}) {
  const system = new LoginItems(platform)
  const place: LoginItemPlace = {
    app: Object.assign(system, { isPackaged: true }),
    platform,
    env: {},
    home,
    program: '/opt/Switchyard/switchyard',
    flags: [],
    ...fields,
  }
  return { system, item: loginItemOf(place), place }
}

const hidden = { openAtLogin: true, startHidden: true }
const shown = { openAtLogin: true, startHidden: false }
const off = { openAtLogin: false, startHidden: true }

describe('on Linux', () => {
  const path = () => join(home, '.config', 'autostart', 'switchyard.desktop')
  const exec = () => /^Exec=(.*)$/m.exec(readFileSync(path(), 'utf8'))?.[1]

  test('switching on and off writes and removes the autostart file', async () => {
    const { item } = placeOn('linux', { flags: ['--data-dir=/my data'] })
    expect(await item.readLoginItem()).toMatchObject({ supported: true, openAtLogin: false })
    await item.writeLoginItem(hidden)
    expect(exec()).toBe('"/opt/Switchyard/switchyard" "--data-dir=/my data" "--hidden"')
    expect(await item.readLoginItem()).toMatchObject({ problem: null, ...hidden })
    await item.writeLoginItem(shown)
    expect(await item.readLoginItem()).toMatchObject(shown)
    await item.writeLoginItem(off)
    expect(existsSync(path())).toBe(false)
  })

  test('a file that was removed by hand is off', async () => {
    const { item } = placeOn('linux')
    await item.writeLoginItem(hidden)
    rmSync(path())
    expect(await item.readLoginItem()).toMatchObject({ openAtLogin: false, startHidden: null })
  })

  test("somebody else's file of this name is told of, and stays as it is", async () => {
    const foreign = '[Desktop Entry]\nType=Application\nName=Trains\nExec=trains\n'
    await mkdir(dirname(path()), { recursive: true })
    writeFileSync(path(), foreign)
    const { item } = placeOn('linux')
    expect(await item.readLoginItem()).toMatchObject({
      supported: false,
      problem: 'foreign',
      openAtLogin: false,
    })
    await expect(item.writeLoginItem(hidden)).rejects.toThrow(/was not written by Switchyard/)
    await expect(item.writeLoginItem(off)).rejects.toThrow(/was not written by Switchyard/)
    expect(readFileSync(path(), 'utf8')).toBe(foreign)
  })

  test('a folder of this name is told of, and the page is not lost by it', async () => {
    await mkdir(path(), { recursive: true })
    const { item } = placeOn('linux')
    expect(await item.readLoginItem()).toMatchObject({ supported: false, problem: 'foreign' })
    await expect(item.writeLoginItem(off)).rejects.toThrow(/was not written by Switchyard/)
  })

  test('an AppImage is started by its own file, not by where it is mounted', async () => {
    const { item } = placeOn('linux', {
      env: { APPIMAGE: '/home/ada/Switchyard.AppImage', APPDIR: '/tmp/.mount_Switch1' },
      program: '/tmp/.mount_Switch1/switchyard',
    })
    await item.writeLoginItem(shown)
    expect(exec()).toBe('"/home/ada/Switchyard.AppImage"')
  })

  test('an app that another AppImage started is not taken for that AppImage', async () => {
    const { item } = placeOn('linux', {
      env: { APPIMAGE: '/home/ada/Terminal.AppImage', APPDIR: '/tmp/.mount_Term' },
    })
    await item.writeLoginItem(shown)
    expect(exec()).toBe('"/opt/Switchyard/switchyard"')
  })

  test('an entry that starts another copy is told of', async () => {
    await placeOn('linux', { program: '/old/switchyard' }).item.writeLoginItem(hidden)
    const { item } = placeOn('linux')
    expect(await item.readLoginItem()).toMatchObject({ problem: 'elsewhere', openAtLogin: true })
    await item.writeLoginItem(hidden)
    expect(await item.readLoginItem()).toMatchObject({ problem: null, openAtLogin: true })
  })

  test('a folder that cannot be written is told of by its path', async () => {
    writeFileSync(join(home, '.config'), '')
    const { item } = placeOn('linux')
    await expect(item.writeLoginItem(hidden)).rejects.toThrow(path())
  })
})

describe('on Windows', () => {
  // A user name with a space is what most of them have.
  const program = 'C:\\Users\\Ada Lovelace\\AppData\\Local\\Programs\\switchyard\\Switchyard.exe'
  const onWindows = () => placeOn('win32', { program })

  test('switching on and off sets and removes the value that starts it', async () => {
    const { item, system } = onWindows()
    await item.writeLoginItem(hidden)
    expect([...system.runKey.values()]).toEqual([
      { path: program, args: ['--hidden'], enabled: true },
    ])
    expect(await item.readLoginItem()).toMatchObject(hidden)
    await item.writeLoginItem(shown)
    expect(await item.readLoginItem()).toMatchObject(shown)
    await item.writeLoginItem(off)
    expect(system.runKey.size).toBe(0)
    expect(await item.readLoginItem()).toMatchObject({ openAtLogin: false })
  })

  test('what the Task Manager switched off is off, and can be switched on again', async () => {
    const { item, system } = onWindows()
    await item.writeLoginItem(hidden)
    for (const [name, value] of system.runKey) system.runKey.set(name, { ...value, enabled: false })
    expect(await item.readLoginItem()).toMatchObject({ openAtLogin: false })
    await item.writeLoginItem(hidden)
    expect(await item.readLoginItem()).toMatchObject(hidden)
  })
})

describe('on macOS', () => {
  test('the system is told, and asked again for what holds', async () => {
    const { item, system } = placeOn('darwin')
    await item.writeLoginItem(hidden)
    expect(await item.readLoginItem()).toMatchObject({ openAtLogin: true, startHidden: null })
    system.status = 'not-registered'
    expect(await item.readLoginItem()).toMatchObject({ openAtLogin: false })
  })

  test('an approval that is missing is told of', async () => {
    const { item, system } = placeOn('darwin')
    system.needsApproval = true
    await item.writeLoginItem(hidden)
    expect(await item.readLoginItem()).toMatchObject({ openAtLogin: false, problem: 'approval' })
  })

  test.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])(
    'opened at login %s, start hidden %s: hidden %s',
    (wasOpenedAtLogin, DesktopStartHidden, is) => {
      const { system } = placeOn('darwin')
      system.wasOpenedAtLogin = wasOpenedAtLogin
      expect(startsHidden(system, {}, { DesktopStartHidden }, 'darwin')).toBe(is)
      expect(startsHidden(system, { isHidden: true }, { DesktopStartHidden }, 'darwin')).toBe(true)
    },
  )
})

test.each(['linux', 'win32', 'darwin'] as const)(
  'run from source on %s, nothing is offered',
  async (platform) => {
    const { place } = placeOn(platform)
    const item = loginItemOf({ ...place, app: Object.assign(place.app, { isPackaged: false }) })
    expect(await item.readLoginItem()).toMatchObject({ supported: false, problem: 'development' })
    await expect(item.writeLoginItem(hidden)).rejects.toThrow(/installed app/)
    expect(existsSync(join(home, '.config'))).toBe(false)
  },
)
