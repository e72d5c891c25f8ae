import { beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../../main/base/log/log.ts'
import { refuseByDefault } from '../../main/desktop/security.ts'
import { permittedBy, session } from '../support/electron/session.ts'

vi.mock('electron', () => import('../support/electron/electron.ts'))

beforeAll(() => refuseByDefault(session.defaultSession as never, createLog()))

/** Permissions that a page at `url` gets, by the browser's names. */
const granted = (url: string) => permittedBy({ getURL: () => url }, url)

test('the console may write to the clipboard, and nothing else', () => {
  expect(granted('app://console/console/')).toEqual(['clipboard-write'])
})

test.each([
  'https://elsewhere.example/',
  'app://elsewhere/console/',
  'app://console.elsewhere.example/',
  'http://console/',
])('%s may nothing at all', (url) => {
  expect(granted(url)).toEqual([])
})
