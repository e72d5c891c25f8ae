import { keepOwnSignals } from '../folder/keep-own-signals.ts'
import type { StateFile } from './state.ts'
import { createStateFile, STATE_NAME, stateFileOptions } from './state-file.ts'

const { default: Conf } = await keepOwnSignals(() => import('conf'))

/** The state file `state.json` of a folder, written by conf: the headless gateway's. */
export const openConfFile = (folderPath: string): StateFile =>
  createStateFile(
    folderPath,
    () => new Conf({ ...stateFileOptions(folderPath), configName: STATE_NAME }),
  )
