import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Bytes; configuration files of tools have a few thousand. */
const LARGEST = 2_000_000

/** A pipe would otherwise be waited for. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** A regular file's text; null when there is none, it can't be read, or it is larger than a configuration is. */
export async function readSmallFile(path: string): Promise<string | null> {
  const file = await open(path, FLAGS).catch(() => null)
  if (!file) return null
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > LARGEST) return null
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stat.size), 0, stat.size, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return null
  } finally {
    await file.close()
  }
}
