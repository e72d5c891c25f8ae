import { existsSync } from 'node:fs'
import type { Clipboard, NativeTheme, Shell } from 'electron'

export const shell: Pick<Shell, 'openExternal' | 'openPath'> = {
  async openExternal(url) {
    process.stderr.write(`[opened outside] ${url}\n`)
  },
  /** "Resolves with a string containing the error message corresponding to the failure if a failure occurred, otherwise ""." */
  async openPath(path) {
    if (!existsSync(path)) return 'Failed to open path'
    process.stderr.write(`[opened path] ${path}\n`)
    return ''
  },
}

let copied = ''
export const clipboard: Pick<Clipboard, 'readText' | 'writeText'> = {
  readText: async () => copied,
  async writeText(text) {
    copied = text
  },
}

export const nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors'> = { shouldUseDarkColors: false }
