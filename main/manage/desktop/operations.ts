import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import type { DesktopCapabilities } from './desktop-capabilities.ts'
import { sendWithToken } from './send-with-token.ts'
import type { UpdateState } from './update-check.ts'

const loginRecord = z.strictObject({
  supported: z.boolean().describe('Whether it can be switched here.'),
  problem: z
    .enum(['development', 'approval', 'foreign', 'elsewhere'])
    .nullable()
    .describe(
      'development: run from source; approval: the user has to allow it in the settings of macOS; foreign: Switchyard did not write the file of this name; elsewhere: the entry starts another copy of the app.',
    ),
  open_at_login: z.boolean().describe('As set in the operating system.'),
  start_hidden: z.boolean(),
  path: z.string().nullable().describe('The autostart file, where there is one.'),
})

const updateRecord = z.strictObject({
  feed: z.string().describe('Empty: no check for newer versions.'),
  checked_at: z.int().nullable().describe('Unix seconds; null = not yet.'),
  failure: z.string().nullable().describe('Why the last check failed.'),
  newer: z
    .strictObject({
      version: z.string(),
      url: z.string().describe('Where to download it; always https.'),
      notes: z.string(),
    })
    .nullable(),
})

const desktopRecord = z
  .strictObject({
    available: z.boolean().describe('False where the gateway runs without the desktop.'),
    in_window: z.boolean().describe("Whether this was asked by the desktop's own window."),
    login: loginRecord.nullable().describe('Null without the desktop.'),
    update: updateRecord.nullable().describe('Null without the desktop.'),
    chromium: z.string().nullable().describe('Its version; null without the desktop.'),
  })
  .meta({ id: 'Desktop' })

type DesktopRecord = z.infer<typeof desktopRecord>

function required({ desktop }: GatewayParts): DesktopCapabilities {
  if (desktop) return desktop
  throw new GatewayError('conflict', {
    message: 'Only the desktop app can do this, and this gateway runs without it.',
    reason: { code: 'only_in_desktop' },
  })
}

async function loginOf(
  desktop: DesktopCapabilities,
  { settings }: GatewayParts,
): Promise<z.infer<typeof loginRecord>> {
  const { openAtLogin, startHidden, ...item } = await desktop.readLoginItem()
  return {
    ...item,
    open_at_login: openAtLogin,
    start_hidden: startHidden ?? settings.current.DesktopStartHidden,
  }
}

function updateOf(
  { checkedAt, failure, newer }: UpdateState,
  { settings }: GatewayParts,
): z.infer<typeof updateRecord> {
  const feed = settings.current.DesktopUpdateFeed
  return { feed, checked_at: checkedAt, failure, newer }
}

async function recordOf({ parts, via }: OperationContext): Promise<DesktopRecord> {
  const { desktop } = parts
  return {
    available: desktop !== null,
    in_window: desktop !== null && via === 'ipc',
    login: desktop && (await loginOf(desktop, parts)),
    update: desktop && updateOf(parts.updates.state, parts),
    chromium: (desktop && process.versions.chrome) ?? null,
  }
}

const get = defineOperation({
  name: 'desktop.get',
  summary: 'Tells how the desktop app starts, and whether there is a newer version of it.',
  access: 'root',
  http: { method: 'GET', path: '/api/desktop' },
  input: z.object({}),
  output: desktopRecord,
  run: (_input, context) => recordOf(context),
})

const setLoginItem = defineOperation({
  name: 'desktop.set-login-item',
  summary: 'Switches starting the desktop app at login on or off, with or without its window.',
  access: 'root',
  proof: 'session',
  http: { method: 'PUT', path: '/api/desktop/login_item' },
  input: z.strictObject({ open_at_login: z.boolean(), start_hidden: z.boolean() }),
  output: desktopRecord,
  async run({ open_at_login: openAtLogin, start_hidden: startHidden }, context) {
    const { parts } = context
    await required(parts).writeLoginItem({ openAtLogin, startHidden })
    parts.settings.update({ DesktopStartHidden: startHidden })
    return recordOf(context)
  },
})

const checkUpdate = defineOperation({
  name: 'desktop.check-update',
  summary: 'Looks for a newer version of the desktop app now; nothing is downloaded or installed.',
  access: 'root',
  http: { method: 'POST', path: '/api/desktop/update_check' },
  input: z.strictObject({}),
  output: desktopRecord,
  async run(_input, context) {
    required(context.parts)
    await context.parts.updates.run()
    return recordOf(context)
  },
})

const openFolder = defineOperation({
  name: 'desktop.open-folder',
  summary:
    "Opens the data folder in the system's file manager; only from the desktop's own window.",
  access: 'root',
  proof: 'session',
  http: { method: 'POST', path: '/api/desktop/open_folder' },
  input: z.strictObject({}),
  output: z.undefined(),
  async run(_input, { parts, via }): Promise<undefined> {
    const desktop = required(parts)
    if (via !== 'ipc') {
      throw new GatewayError('forbidden', {
        message:
          'The folder opens on the machine of the gateway: use the window of the desktop app.',
        reason: { code: 'folder_on_machine' },
      })
    }
    const problem = await desktop.openFolder(parts.dataFolder)
    if (problem !== '') {
      throw new GatewayError('conflict', {
        message: `The system could not open the folder ${parts.dataFolder}: "${problem}". Open it in your file manager.`,
        reason: { code: 'folder_not_opened', folder: parts.dataFolder, problem },
      })
    }
  },
})

/** The desktop app's settings, as the console reads and changes them. */
export const desktopOperations = [
  get,
  setLoginItem,
  checkUpdate,
  openFolder,
  sendWithToken,
] as const
