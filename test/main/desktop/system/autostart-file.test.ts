import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  autostartPath,
  readAutostart,
  writeAutostart,
} from '../../../../main/desktop/system/autostart-file.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-autostart-'))
  path = join(folder, 'autostart', 'switchyard.desktop')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const execOf = (text: string): string => /^Exec=(.*)$/m.exec(text)?.[1] ?? ''

test('the file is one that every desktop starts, with the path quoted as the specification has it', async () => {
  await writeAutostart(path, ['/opt/My Apps/"real" $HOME/`x`\\y', '--data-dir=/100%/%f'])
  const text = readFileSync(path, 'utf8')
  expect(text.startsWith('[Desktop Entry]\nType=Application\n')).toBe(true)
  // By hand from the specification: \" \$ \` \\ inside the quotes, %% for %, then each backslash doubled.
  expect(execOf(text)).toBe(
    String.raw`"/opt/My Apps/\\"real\\" \\$HOME/\\${'`'}x\\${'`'}\\\\y" "--data-dir=/100%%/%%f"`,
  )
  expect(readdirSync(join(folder, 'autostart'))).toEqual(['switchyard.desktop'])
})

test.each([
  '/usr/bin/switchyard',
  '/home/ada/Äpps 应用/Switchyard.AppImage',
  '/a b/"c"/d$e/f`g/h\\i/j%k/%f/l;m&n|o',
  '/with=equals/switchyard',
  "/it's/here",
])('the path %s is read back as it was', async (program) => {
  await writeAutostart(path, [program, '--data-dir=/x y', '--hidden'])
  expect(await readAutostart(path)).toEqual({
    isOurs: true,
    isOn: true,
    command: [program, '--data-dir=/x y', '--hidden'],
  })
})

test('a path with a line break is refused, and nothing is written', async () => {
  await expect(writeAutostart(path, ['/a\nExec=evil'])).rejects.toThrow(/control character/)
  expect(existsSync(path)).toBe(false)
})

describe('an entry that the desktop settings switched off', () => {
  test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('by %s is off', async (line) => {
    await writeAutostart(path, ['/usr/bin/switchyard'])
    const [key = ''] = line.split('=')
    const kept = readFileSync(path, 'utf8')
      .split('\n')
      .filter((one) => !one.startsWith(key))
    writeFileSync(path, kept.join('\n').replace('Terminal=false', `Terminal=false\n${line}`))
    expect(await readAutostart(path)).toMatchObject({ isOurs: true, isOn: false })
  })

  test('in another group of the file is on', async () => {
    await writeAutostart(path, ['/usr/bin/switchyard'])
    writeFileSync(path, `${readFileSync(path, 'utf8')}[Desktop Action x]\nHidden=true\n`)
    expect(await readAutostart(path)).toMatchObject({ isOn: true })
  })
})

test('a file that is kept elsewhere and linked stays linked', async () => {
  const kept = join(folder, 'dotfiles.desktop')
  writeFileSync(kept, '')
  mkdirSync(join(folder, 'autostart'))
  symlinkSync(kept, path)
  await writeAutostart(path, ['/usr/bin/switchyard'])
  expect(readFileSync(kept, 'utf8')).toContain('Exec="/usr/bin/switchyard"')
})

test('the folder is that of XDG_CONFIG_HOME, unless that is no absolute path', () => {
  const at = (XDG_CONFIG_HOME?: string) => autostartPath({ XDG_CONFIG_HOME }, '/home/ada')
  expect(at('/etc/me')).toBe('/etc/me/autostart/switchyard.desktop')
  for (const unset of [undefined, '', 'relative']) {
    expect(at(unset)).toBe('/home/ada/.config/autostart/switchyard.desktop')
  }
})
