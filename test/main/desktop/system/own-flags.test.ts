import { describe, expect, test } from 'vitest'
import { readDesktopOptions } from '../../../../main/desktop/system/desktop-options.ts'
import { flagsAtLogin } from '../../../../main/desktop/system/flags-at-login.ts'

const read = (...flags: string[]) => readDesktopOptions(['switchyard', ...flags], {})

test('flags of ours are read among those of Electron and Chromium', () => {
  const options = read(
    '.',
    '--no-sandbox',
    '--port',
    '5000',
    '--lang=en',
    '--hidden',
    '--data-dir=/d',
  )
  expect(options).toMatchObject({ port: 5000, isHidden: true, dataFolder: '/d', portIsNamed: true })
})

describe('a flag that is wrong is refused with its name', () => {
  test.each([
    [['--port', 'http'], /--port: "http" isn.t a port/],
    [['--port=70000'], /"70000" isn.t a port/],
    [['--port'], /--port/],
    [['--port', '--hidden'], /--port/],
    [['--data-dir='], /--data-dir is empty/],
    [['--dataDir=/x'], /--dataDir/],
    [['--data_dir', '/x'], /--data_dir/],
    [['--PORT=5'], /--PORT/],
    [['--hidden=yes'], /--hidden/],
    [['--trusted-proxies', 'nonsense!'], /--trusted-proxies/],
    [['--reset-2fa'], /--reset-2fa is not for the desktop/],
    [['--restore', 'backup.tar.gz'], /--restore is not for the desktop/],
  ])('%j', (flags, sentence) => {
    expect(() => read(...flags)).toThrow(sentence)
  })
})

test('what only looks like a flag of ours is left alone', () => {
  expect(read('--portable', '--hidden-tabs', '--hostname', 'x', '--', '--port=http')).toMatchObject(
    {
      port: 4747,
    },
  )
})

test('a start at login gets the folder, host and port of this one, and not its --hidden', () => {
  const argv = ['switchyard', '--hidden', '--port', '5000', '--data-dir', 'here', '--lang=de']
  expect(flagsAtLogin(argv, {}, { dataFolder: '/abs/here' })).toEqual([
    '--port=5000',
    '--data-dir=/abs/here',
  ])
  const usual = readDesktopOptions(['switchyard'], {})
  expect(usual && flagsAtLogin(['switchyard'], {}, usual)).toEqual([])
})
