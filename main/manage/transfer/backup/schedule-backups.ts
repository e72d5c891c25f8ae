import { unixSeconds } from '../../../base/clock.ts'
import {
  type Backup,
  createBackup,
  listBackups,
  removeOldBackups,
} from '../../../store/backup/backups.ts'
import type { GatewayParts } from '../../gateway-parts.ts'

const MINUTE = 60_000

/** Backs up the data folder, whose state names where the key of its secrets lies. */
export const backUp = (
  { dataFolder, version, secretKey }: GatewayParts,
  isScheduled: boolean,
): Promise<Backup> =>
  createBackup(dataFolder, {
    switchyard: version,
    // A locked key is one that a keychain keeps.
    key: secretKey.protection ?? 'keychain',
    isScheduled,
  })

/** Makes the scheduled backups while the gateway runs; returns what ends that. */
export function scheduleBackups(parts: GatewayParts): () => void {
  let isRunning = false
  const look = async (): Promise<void> => {
    const { BackupHours, BackupKeep } = parts.settings.current
    if (BackupHours === 0 || isRunning) return
    isRunning = true
    try {
      const now = unixSeconds()
      // A backup that is dated in the future, from before the clock was set back, doesn't count.
      const newest = listBackups(parts.dataFolder).find(
        ({ isScheduled, createdAt }) => isScheduled && createdAt <= now,
      )
      if (newest && now - newest.createdAt < BackupHours * 3600) return
      const { name } = await backUp(parts, true)
      removeOldBackups(parts.dataFolder, BackupKeep)
      parts.log.info({ backup: name }, 'the data folder was backed up')
    } catch (err) {
      parts.log.error({ err }, 'the scheduled backup failed')
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(() => void look(), MINUTE).unref()
  return () => clearInterval(timer)
}
