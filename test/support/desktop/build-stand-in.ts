import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * A global setup (vite.config.ts): the stand-in of Electron as plain JavaScript in `test/output/stand-in`.
 * Every start of the desktop would compile it anew.
 */
export async function setup(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: at('.'),
    build: {
      ssr: true,
      outDir: at('../../output/stand-in'),
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: {
          'electron-process': at('electron-process.ts'),
          electron: at('../electron/electron.ts'),
        },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
}
