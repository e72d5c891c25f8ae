import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builderRequire } from './builder-require.ts'

export type Platform = 'linux' | 'mac' | 'win'

const locales = ['de', 'en-GB', 'en-US', 'fr', 'zh-CN', 'zh-TW']
/** Apple's names of the same. */
const appleLocales = ['de', 'en_GB', 'en', 'fr', 'zh_CN', 'zh_TW']

/**
 * The fuse wire as Electron ships it: a sentinel, the wire's version 1, and nine fuses.
 * https://github.com/electron/electron/blob/main/build/fuses/fuses.json5
 */
const fuseWire = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09101100011')

/**
 * A folder that is Electron's only in what packing looks at: names, locales, property lists, a fuse wire.
 * Nothing in it can be run.
 */
export function writeStubElectron(folder: string, platform: Platform): void {
  const put = (path: string, contents: string | Uint8Array) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, contents, { mode: 0o755 })
  }
  put('LICENSE', 'Electron’s licence')
  put('LICENSES.chromium.html', 'Chromium’s licences')
  if (platform === 'mac') {
    putMacApp(folder, put)
    return
  }
  for (const locale of locales) put(`locales/${locale}.pak`, '')
  mkdirSync(join(folder, 'resources'))
  if (platform === 'linux') {
    put('electron', Buffer.concat([Buffer.from('stub\0'), fuseWire]))
    put('chrome-sandbox', 'stub')
  } else {
    put('electron.exe', windowsExecutable())
    put('ffmpeg.dll', 'stub')
  }
}

function putMacApp(
  folder: string,
  put: (path: string, contents: string | Uint8Array) => void,
): void {
  const contents = 'Electron.app/Contents'
  const framework = `${contents}/Frameworks/Electron Framework.framework`
  put(`${contents}/Info.plist`, plist('Electron', 'com.github.Electron'))
  put(`${contents}/MacOS/Electron`, 'stub')
  put(`${contents}/Resources/electron.icns`, 'stub')
  put(
    `${framework}/Versions/A/Electron Framework`,
    Buffer.concat([Buffer.from('stub\0'), fuseWire]),
  )
  symlinkSync('A', join(folder, framework, 'Versions/Current'))
  for (const name of ['Electron Framework', 'Resources']) {
    symlinkSync(`Versions/Current/${name}`, join(folder, framework, name))
  }
  for (const locale of appleLocales) {
    put(`${contents}/Resources/${locale}.lproj/InfoPlist.strings`, '')
    put(`${framework}/Versions/A/Resources/${locale}.lproj/locale.pak`, '')
  }
  for (const suffix of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const name = `Electron Helper${suffix}`
    put(`${contents}/Frameworks/${name}.app/Contents/Info.plist`, plist(name, 'helper'))
    put(`${contents}/Frameworks/${name}.app/Contents/MacOS/${name}`, 'stub')
  }
}

const plist = (name: string, identifier: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${name}</string>
<key>CFBundleIconFile</key><string>electron.icns</string>
<key>CFBundleIdentifier</key><string>${identifier}</string>
<key>CFBundleName</key><string>${name}</string>
</dict></plist>`

/** An executable without code, with a version in one language, and the fuse wire behind its sections. */
function windowsExecutable(): Buffer {
  const { NtExecutable, NtExecutableResource, Resource } = builderRequire('resedit')
  const executable = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(executable)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(executable)
  executable.setExtraData(new Uint8Array(fuseWire).buffer)
  return Buffer.from(executable.generate())
}
