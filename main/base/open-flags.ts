import { constants } from 'node:fs'

/** Opens a file for reading. A pipe would otherwise be waited for; Windows has no such flag. */
export const READ_AT_ONCE: number = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
