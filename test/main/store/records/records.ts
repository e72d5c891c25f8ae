import { randomBytes } from 'node:crypto'
import { createSecretBox } from '../../../../main/store/secret-key/secret-box.ts'
import { openConfFile } from '../../../../main/store/state/conf-file.ts'
import { openState } from '../../../../main/store/state/state.ts'
import { tempFolder } from '../folder/temp-folder.ts'

/** A state in a folder of its own, which can be opened again, with the same key or another one. */
export function records(folder = tempFolder(), key: Buffer = randomBytes(32)) {
  const state = openState(openConfFile(folder))
  return { folder, key, state, box: createSecretBox({ current: key }) }
}
