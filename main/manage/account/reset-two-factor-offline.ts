import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Sentence } from '../../base/reason.ts'
import { openFolder } from '../../store/folder/folder.ts'
import { StartError } from '../../store/folder/start-error.ts'
import { openLedger } from '../../store/ledger/open-ledger.ts'
import { endAccess } from '../../store/records/users.ts'
import { openState, type State, type StateFile, type StoredUser } from '../../store/state/state.ts'
import { STATE_NAME } from '../../store/state/state-file.ts'
import { eventRow } from '../calls/event-row.ts'

function findUser({ data }: State, username: string, folder: string): StoredUser {
  const known = data.users.filter(({ deletedAt }) => deletedAt === null)
  const user = known.find(({ username: name, role }) =>
    username === '' ? role === 100 : name === username,
  )
  if (user) return user
  throw new StartError(
    username === ''
      ? `${folder} has no owner yet. Start the gateway and complete the first run.`
      : `There is no user "${username}" in ${folder}.`,
  )
}

/**
 * Removes the second factor of a user ('' = the owner) and ends sessions and access token, in a data folder that
 * no gateway uses at the time; gives what to tell. It needs no secret key: nothing is opened that is sealed.
 * Throws StartError when the folder is in use, or holds no such user.
 */
export async function resetTwoFactorOffline(
  path: string,
  username: string,
  openStateFile: (folder: string) => StateFile,
): Promise<string> {
  const folder = resolve(path)
  // Opening it would begin a new one.
  if (!existsSync(join(folder, `${STATE_NAME}.json`))) {
    throw new StartError(`${folder} holds no Switchyard. Name its folder with --data-dir.`)
  }
  const opened = openFolder(folder)
  try {
    const state = openState(openStateFile(folder))
    const user = findUser(state, username, folder)
    if (!user.twoFactor) return `"${user.username}" has no second factor: nothing was changed.`
    state.update((draft) => {
      const stored = draft.users.find(({ id }) => id === user.id)
      if (stored) stored.twoFactor = null
      endAccess(draft, user.id)
    })
    const content: Sentence = {
      message: `The second factor of "${user.username}" was removed from the command line.`,
      reason: { code: 'audit_factor_removed_offline', user: user.username },
    }
    const ledger = await openLedger(opened.file('ledger.db'))
    await ledger.record(eventRow(4, user, content, { requestId: '', ip: '' }))
    ledger.close()
    return `The second factor of "${user.username}" is removed. The password alone signs in now.`
  } finally {
    opened.release()
  }
}
