import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPng } from '../support/images/read-png.ts'
import { type Packed, pack } from './pack.ts'

/** electron-builder calls fpm by a path on Linux and macOS alone, and its scripts are for a shell. */
const canPack = process.platform === 'linux'

interface Recorded {
  asked: string[]
  files: { from: string; to: string; text: string | null }[]
  /** After install, after removal, and before removal. */
  scripts: [string, string, string]
}

let packed: Packed
let recorded: Recorded
const work = mkdtempSync(join(tmpdir(), 'switchyard-deb-'))

beforeAll(async () => {
  if (!canPack) return
  const record = join(work, 'fpm.json')
  packed = await pack('linux', {
    target: 'deb',
    env: {
      CUSTOM_FPM_PATH: fileURLToPath(new URL('record-fpm.mjs', import.meta.url)),
      RECORD_FPM: record,
    },
  })
  recorded = JSON.parse(readFileSync(record, 'utf8'))
}, 120_000)

afterAll(() => {
  rmSync(work, { recursive: true, force: true })
  if (packed) rmSync(packed.work, { recursive: true, force: true })
})

const valuesOf = (flag: string) =>
  recorded.asked.flatMap((argument, at, all) => (argument === flag ? [all[at + 1]] : []))
const fileAt = (to: string) => recorded.files.find((file) => file.to === to)?.text

describe.runIf(canPack)('the .deb', () => {
  test('says what it is, who makes it, and what it needs', () => {
    expect(valuesOf('--name')).toEqual(['switchyard'])
    expect(valuesOf('--maintainer')).toEqual(['Switchyard <switchyard@switchyard.invalid>'])
    expect(valuesOf('--license')).toEqual(['MIT'])
    expect(valuesOf('--description')[0]).toMatch(/^One local address.+\n A personal model gateway/)
    // Ubuntu 24.04 has given these other names.
    expect(valuesOf('-d')).toContain('libgtk-3-0t64 | libgtk-3-0')
    expect(valuesOf('-d')).toContain('libasound2t64 | libasound2')
    expect(fileAt('/usr/share/doc/switchyard/copyright')).toContain('MIT License')
  })

  test('brings its icon in every size that a menu or a dock takes', () => {
    const icons = recorded.files.filter(({ to }) => to.startsWith('/usr/share/icons/'))
    const sizes = icons.map(({ to, text }) => {
      const { width, height, rgba } = readPng(Buffer.from(text ?? '', 'latin1'))
      expect(to).toBe(`/usr/share/icons/hicolor/${width}x${height}/apps/switchyard.png`)
      const left = (Math.floor(height / 2) * width + Math.floor(width * 0.06)) * 4
      expect(rgba.toString('hex', left, left + 4)).toBe('4255d4ff')
      return width
    })
    expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256, 512])
  })

  test('has a menu entry that its windows are counted to', () => {
    const entry = fileAt('/usr/share/applications/switchyard.desktop')
    expect(entry).toContain('Exec=/opt/Switchyard/switchyard %U')
    // The same as `desktopName` in package.json.
    expect(entry).toContain('StartupWMClass=switchyard\n')
    expect(entry).toContain('Categories=Development;')
  })

  test('brings an AppArmor profile that allows Chromium its user namespaces, and nothing in return', () => {
    const profile = readFileSync(join(packed.resources, 'apparmor-profile'), 'utf8')
    expect(profile).toContain(
      'profile "switchyard" "/opt/Switchyard/switchyard" flags=(unconfined) {',
    )
    expect(profile).toMatch(/^ {2}userns,$/m)
  })
})

/** A system that the scripts of the package run in: their folders and AppArmor's programs are under `root`. */
function makeSystem({ loads = true, hasAppArmor = true } = {}) {
  const root = mkdtempSync(join(work, 'system-'))
  const programs = join(root, 'programs')
  const opt = join(root, 'opt/Switchyard')
  for (const folder of [
    programs,
    join(opt, 'resources'),
    join(root, 'etc/apparmor.d'),
    join(root, 'usr/bin'),
  ]) {
    mkdirSync(folder, { recursive: true })
  }
  for (const name of ['switchyard', 'chrome-sandbox']) writeFileSync(join(opt, name), '')
  writeFileSync(
    join(opt, 'resources/apparmor-profile'),
    readFileSync(join(packed.resources, 'apparmor-profile')),
  )
  const log = join(root, 'log')
  writeFileSync(log, '')
  const write = (path: string, script: string) => {
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  const put = (name: string, code: number) =>
    write(join(programs, name), `echo "${name} $*" >> '${log}'\nexit ${code}`)
  put('apparmor_status', hasAppArmor ? 0 : 1)
  put('apparmor_parser', loads ? 0 : 1)
  put('update-alternatives', 0)
  put('unshare', 0)
  // Nothing of it runs.
  put('pkill', 1)
  for (const name of ['update-mime-database', 'update-desktop-database']) put(name, 0)
  const people: string[] = []

  return {
    profile: join(root, 'etc/apparmor.d/switchyard'),
    /** Somebody with a home on this system; with a tool connected, or not. */
    addPerson(name: string, { uid, isConnected }: { uid: number; isConnected: boolean }) {
      const home = join(root, 'home', name)
      mkdirSync(join(home, '.config/Switchyard/connect'), { recursive: true })
      if (isConnected) writeFileSync(join(home, '.config/Switchyard/connect/codex.json'), '{}')
      people.push(`${name}:x:${uid}:${uid}::${home}:/bin/sh`)
      write(join(programs, 'getent'), people.map((line) => `echo '${line}'`).join('\n'))
      // What it runs as somebody else, this one runs as itself.
      write(join(programs, 'runuser'), `echo "as $2" >> '${log}'\nshift 3\nexec "$@"`)
      return home
    },
    /** The installed program, as a script. */
    install: (script: string) => write(join(opt, 'switchyard'), script),
    log,
    run(script: string, ...args: string[]) {
      const moved = script
        .replaceAll('/opt/Switchyard', opt)
        .replaceAll('/etc/apparmor.d', join(root, 'etc/apparmor.d'))
        .replaceAll('/usr/bin/', join(root, 'usr/bin/'))
      const env = { PATH: `${programs}:/usr/bin:/bin`, XDG_CONFIG_HOME: '/root/config' }
      // dpkg runs each by its own first line.
      const shell = /^#!\S*\/(\w+)/.exec(script)?.[1] ?? 'sh'
      return execFileSync(shell, ['-e', '-c', moved, 'sh', ...args], {
        env,
        stdio: 'pipe',
        encoding: 'utf8',
      })
    },
    called: () => readFileSync(log, 'utf8').split('\n'),
  }
}

describe.runIf(canPack)('the scripts of the .deb', () => {
  test('load the profile at installation, and take it back at removal', () => {
    const system = makeSystem()
    system.run(recorded.scripts[0])
    expect(existsSync(system.profile)).toBe(true)
    expect(system.called()).toContain(
      `apparmor_parser --replace --write-cache --skip-read-cache ${system.profile}`,
    )
    system.run(recorded.scripts[1])
    expect(existsSync(system.profile)).toBe(false)
    expect(system.called()).toContain(`apparmor_parser --remove ${system.profile}`)
  })

  test('leave AppArmor alone where it is off, or too old to know the profile', () => {
    for (const system of [makeSystem({ hasAppArmor: false }), makeSystem({ loads: false })]) {
      system.run(recorded.scripts[0])
      expect(existsSync(system.profile)).toBe(false)
      system.run(recorded.scripts[1])
    }
  })

  test('a removal gives everyone their tools back, as themselves, and says what it could not', () => {
    const system = makeSystem()
    const first = system.addPerson('first', { uid: 1000, isConnected: true })
    system.addPerson('second', { uid: 1001, isConnected: false })
    const third = system.addPerson('third', { uid: 1002, isConnected: true })
    system.addPerson('daemon', { uid: 2, isConnected: true })
    const root = system.addPerson('root', { uid: 0, isConnected: true })
    system.install(
      `echo "$HOME $* \${XDG_CONFIG_HOME-}" >> '${system.log}'
       case $HOME in *third) echo 'Codex is still connected.' >&2; exit 1;; esac
       echo 'Codex is disconnected.'`,
    )
    const told = system.run(recorded.scripts[2], 'remove')
    const flags = '--ozone-platform=headless --disable-gpu'
    expect(system.called().filter(Boolean)).toEqual([
      expect.stringMatching(/^pkill -TERM -u 1000 -f \^.*switchyard$/),
      'as first',
      `${first} ${flags} --disconnect-all `,
      expect.stringMatching(/^pkill -TERM -u 1002 /),
      'as third',
      `${third} ${flags} --disconnect-all `,
      expect.stringMatching(/^pkill -TERM -u 0 /),
      'as root',
      `${root} ${flags} --no-sandbox --disconnect-all `,
    ])
    expect(told.trim().split('\n')).toEqual([
      'switchyard, first: Codex is disconnected.',
      'switchyard, third: Codex is still connected.',
      'switchyard, root: Codex is disconnected.',
    ])
  })

  test('an update leaves the tools connected', () => {
    const system = makeSystem()
    system.addPerson('first', { uid: 1000, isConnected: true })
    system.install(`echo called >> '${system.log}'`)
    system.run(recorded.scripts[2], 'upgrade', '1.0.0')
    expect(system.called()).toEqual([''])
  })
})
