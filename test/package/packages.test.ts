import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { extractFile, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readIcns } from '../support/images/read-icns.ts'
import { readIco } from '../support/images/read-ico.ts'
import { readPng } from '../support/images/read-png.ts'
import { builderRequire } from './builder-require.ts'
import { type Packed, pack } from './pack.ts'

/** Bytes that we add to Electron, at most: the archive and the icons, before an installer packs them. */
const LIMIT = 12 * 1024 * 1024
const enabledByte = '1'.charCodeAt(0)

const platforms = [
  { platform: 'linux', arch: 'x64', executable: 'switchyard', locales: 'locales' },
  {
    platform: 'mac',
    arch: 'arm64',
    executable: '',
    locales: 'Contents/Frameworks/Electron Framework.framework/Resources',
  },
  { platform: 'win', arch: 'x64', executable: 'Switchyard.exe', locales: 'locales' },
] as const

/** The built packages, by platform. */
const packed = new Map<string, Packed>()
const packedFor = (platform: string) => packed.get(platform) as Packed

beforeAll(async () => {
  for (const { platform, arch } of platforms) packed.set(platform, await pack(platform, { arch }))
}, 180_000)

afterAll(() => {
  for (const { work } of packed.values()) rmSync(work, { recursive: true, force: true })
})

describe.each(platforms)('the package for $platform', ({ platform, executable, locales }) => {
  const archive = () => join(packedFor(platform).resources, 'app.asar')
  const files = () =>
    listPackage(archive(), { isPack: false })
      .map((path) => path.slice(1))
      .filter((path) => /\.[^/]*$|LICENSE$/.test(path))
  const read = (path: string) => extractFile(archive(), path)

  test('carries main, preload, console, licence and the pictures of the tray', () => {
    expect(files()).toEqual(
      expect.arrayContaining([
        'dist/main/desktop.js',
        'dist/preload/preload.cjs',
        'dist/renderer/index.html',
        'LICENSE',
        'package.json',
        'main/desktop/tray-icons/trayTemplate.png',
        'main/desktop/tray-icons/trayTemplate@2x.png',
        'main/desktop/tray-icons/tray.ico',
        'main/desktop/tray-icons/tray.png',
        'main/desktop/tray-icons/tray@2x.png',
      ]),
    )
    expect(read('LICENSE')).toEqual(readFileSync('LICENSE'))
    for (const name of ['trayTemplate.png', 'trayTemplate@2x.png', 'tray.png', 'tray@2x.png']) {
      expect(readPng(read(`main/desktop/tray-icons/${name}`)).width).toBeGreaterThan(0)
    }
  })

  test('carries nothing else: no sources, no maps, no packages, nothing made for one platform', () => {
    const wanted = [
      /^(package\.json|LICENSE)$/,
      /^dist\/main\/(?!headless)[\w.-]+\.js$/,
      /^dist\/preload\/preload\.cjs$/,
      /^dist\/renderer\/[\w./-]+\.(html|js|css|svg|png|woff2|json)$/,
      /^main\/desktop\/tray-icons\/[\w@]+\.(png|ico)$/,
    ]
    expect(files().filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([])
    expect(existsSync(`${archive()}.unpacked`)).toBe(false)
  })

  test('asks for no package that does not travel with it', () => {
    for (const path of files().filter((file) => /^dist\/(main|preload)\//.test(file))) {
      // In the bundle each static import stands on a line of its own, or behind the one before it.
      const text = read(path).toString()
      const asked = [...text.matchAll(/(?:^|[;}])import\b[^;'"`(]*?["']([^"'\n]+)["']/gm)].map(
        (match) => match[1] as string,
      )
      const foreign = asked.filter((name) => !/^(\.|electron$)/.test(name) && !isBuiltin(name))
      expect(foreign, path).toEqual([])
    }
  })

  test('names its entry and its window, and neither scripts nor development packages', () => {
    const manifest = JSON.parse(read('package.json').toString())
    expect(manifest).toMatchObject({
      name: 'switchyard',
      main: 'dist/main/desktop.js',
      desktopName: 'switchyard.desktop',
      author: 'Switchyard',
    })
    expect(manifest.devDependencies).toBeUndefined()
    expect(manifest.scripts).toBeUndefined()
  })

  test('adds less than 12 MB to Electron', () => {
    const size = statSync(archive()).size
    expect(size).toBeGreaterThan(1_000_000)
    expect(size).toBeLessThan(LIMIT)
  })

  test('keeps the languages of the console, and no others', () => {
    const kept = readdirSync(join(packedFor(platform).unpacked, locales)).sort()
    expect(kept).toEqual(
      platform === 'mac'
        ? ['en.lproj', 'zh_CN.lproj', 'zh_TW.lproj']
        : ['en-US.pak', 'zh-CN.pak', 'zh-TW.pak'],
    )
  })

  // For macOS they are moved into the application out of Electron's own archive only, not out of a folder.
  test.skipIf(platform === 'mac')('keeps the licences of Electron and Chromium', () => {
    expect(readdirSync(packedFor(platform).unpacked)).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']),
    )
  })

  test('names no place to update from', () => {
    const { work } = packedFor(platform)
    const names = readdirSync(work, { recursive: true }).map(String)
    expect(names.filter((name) => /app-update\.yml|latest.*\.yml|blockmap/.test(name))).toEqual([])
  })

  test('has the fuses blown that would turn it into a plain Node', async () => {
    const wire = await getCurrentFuseWire(join(packedFor(platform).unpacked, executable))
    const enabled = Object.entries(wire)
      .filter(([index, state]) => index !== 'version' && state === enabledByte)
      .map(([index]) => FuseV1Options[Number(index)])
    expect(enabled).toEqual([
      'EnableCookieEncryption',
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
      // The ninth fuse is newer than the names of @electron/fuses, and stays as Electron ships it.
      undefined,
    ])
  })
})

describe('the application on macOS', () => {
  const contents = () => join(packedFor('mac').unpacked, 'Contents')
  const plistOf = (path: string) =>
    builderRequire('plist').parse(readFileSync(path, 'utf8')) as Record<string, unknown>

  test('has its icon in every size, at one and at two pixels a point', () => {
    const icon = readFileSync(join(contents(), 'Resources/icon.icns'))
    const pictures = readIcns(icon)
    const sizes = [...pictures].map(([type, { width }]) => `${type} ${width}`)
    expect(sizes.sort()).toEqual([
      'ic04 16',
      'ic05 32',
      'ic07 128',
      'ic08 256',
      'ic09 512',
      'ic10 1024',
      'ic11 32',
      'ic12 64',
      'ic13 256',
      'ic14 512',
    ])
    for (const [type, { width, rgba }] of pictures) {
      const middleLeft = (Math.floor(width / 2) * width + Math.floor(width * 0.13)) * 4
      expect(rgba.toString('hex', middleLeft, middleLeft + 4), type).toBe('4255d4ff')
      expect(rgba[3], `${type}: the corner`).toBe(0)
    }
  })

  // Signing itself is done by Apple's tools alone. Without `identity` electron-builder signs nothing where
  // there is no certificate, and a void signature is all that is left.
  test('is set to be signed ad hoc, with what Electron needs under the hardened runtime', () => {
    const { mac } = parse(readFileSync('electron-builder.yml', 'utf8'))
    expect(mac).toMatchObject({ identity: '-', hardenedRuntime: true })
    for (const path of [mac.entitlements, mac.entitlementsInherit]) {
      expect(plistOf(path)).toEqual({
        'com.apple.security.cs.allow-jit': true,
        'com.apple.security.cs.allow-unsigned-executable-memory': true,
        'com.apple.security.cs.disable-library-validation': true,
      })
    }
  })

  test('vouches for its archive, and keeps its own names', () => {
    const plist = plistOf(join(contents(), 'Info.plist'))
    expect(plist).toMatchObject({
      CFBundleExecutable: 'Switchyard',
      CFBundleName: 'Switchyard',
      CFBundleIdentifier: 'app.switchyard.desktop',
      CFBundleIconFile: 'icon.icns',
      ElectronAsarIntegrity: {
        'Resources/app.asar': {
          algorithm: 'SHA256',
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    })
    expect(existsSync(join(contents(), 'MacOS/Switchyard'))).toBe(true)
    expect(existsSync(join(contents(), 'Frameworks/Switchyard Helper (Renderer).app'))).toBe(true)
  })
})

describe('the application on Windows', () => {
  const resources = () => {
    const { NtExecutable, NtExecutableResource, Resource } = builderRequire('resedit')
    const file = readFileSync(join(packedFor('win').unpacked, 'Switchyard.exe'))
    const { entries } = NtExecutableResource.from(NtExecutable.from(file))
    return { entries, Resource }
  }

  test('has its icon in every size', () => {
    const icons = readIco(readFileSync('main/desktop/build/icon.ico'))
    const sizes = [16, 20, 24, 32, 40, 48, 64, 128, 256]
    expect(icons.map(({ width }) => width)).toEqual(sizes)
    for (const { width, rgba } of icons) {
      const left = (Math.floor(width / 2) * width + Math.floor(width * 0.06)) * 4
      expect(rgba.toString('hex', left, left + 4), String(width)).toBe('4255d4ff')
    }
    const { entries, Resource } = resources()
    const [group] = Resource.IconGroupEntry.fromEntries(entries)
    expect(group.icons.map(({ width }: { width: number }) => width || 256)).toEqual(sizes)
  })

  test('says its name and version, and vouches for its archive', () => {
    const { entries, Resource } = resources()
    const [version] = Resource.VersionInfo.fromEntries(entries)
    const [language] = version.getAllLanguagesForStringValues()
    expect(version.getStringValues(language)).toMatchObject({
      ProductName: 'Switchyard',
      FileDescription: 'Switchyard',
      CompanyName: 'Switchyard',
      FileVersion: '0.1.0',
    })
    const integrity = entries.find((entry: { type: unknown }) => entry.type === 'INTEGRITY')
    expect(JSON.parse(Buffer.from(integrity.bin).toString())).toEqual([
      {
        file: 'resources\\app.asar',
        alg: 'SHA256',
        value: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
  })
})
