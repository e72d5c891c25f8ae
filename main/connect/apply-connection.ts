import { unixSeconds } from '../base/clock.ts'
import type { ConnectFolder, ConnectRecord, RecordedFile } from './connect-record.ts'
import type { ConnectionPlan, PlannedFile } from './plan-connection.ts'
import { type RealFile, replaceFile, sha256 } from './real-file.ts'
import { rollBack } from './roll-back.ts'
import type { Connection, Tool } from './tool.ts'
import { takeStep } from './undo-step.ts'

function recordedFile({ file, original, recorded, after, keys }: PlannedFile): RecordedFile {
  const { bytes, mode } = original
  return {
    id: file.id,
    path: file.path,
    original: bytes && mode !== null ? { sha256: sha256(bytes), mode } : null,
    isNew: original.text === null,
    madeFolder: recorded?.madeFolder ?? null,
    left: sha256(after),
    keys,
  }
}

export interface AppliedConnection {
  record: ConnectRecord
  /** Once all that belongs to it is stored. */
  keep(): void
  /** Leaves every file as it was, with the connection before; or throws `conflict` and keeps the record for Undo. */
  takeBack(): void
}

/**
 * Writes what was planned: backups and record first, so that a crash leaves nothing that can't be
 * undone. Throws `conflict` with a sentence and then leaves every file as it was.
 */
export function applyConnection(
  tool: Tool,
  { address }: Connection,
  { models, token }: { models: Connection['models']; token: { id: number; isMade: boolean } },
  plan: ConnectionPlan,
  folder: ConnectFolder,
): AppliedConnection {
  const earlier = folder.read(tool.id)
  const record: ConnectRecord = {
    ...{ version: 1, tool: tool.id, address, models: { ...models } },
    ...{ tokenId: token.id, isTokenMade: token.isMade },
    // The original is still the first connection's.
    otherGateway: earlier ? earlier.otherGateway : plan.otherGateway,
    connectedAt: unixSeconds(),
    files: plan.files.map(recordedFile),
  }
  for (const { original } of plan.files) {
    if (original.bytes) folder.writeBackup(tool.id, original.bytes)
  }
  // Until their originals are back, files that the tool doesn't look at any more are still ours to undo.
  const left = plan.left.map(({ recorded }) => recorded)
  folder.write({ ...record, files: [...record.files, ...left] })
  const written: { current: RealFile; madeFolder: string | null }[] = []
  const takeBack = () => {
    const halfDone = rollBack(written)
    if (halfDone) throw halfDone
    if (earlier) {
      folder.write(earlier)
      folder.dropBackups(earlier)
    } else folder.forget(record)
  }
  try {
    for (const [at, planned] of plan.files.entries()) {
      const { current, after } = planned
      if (current.text === after) continue
      // A new file holds a key: its owner's alone.
      const made = replaceFile(current, after, current.mode ?? 0o600)
      written.push({ current, madeFolder: made })
      const recorded = record.files[at]
      if (recorded && made !== null) recorded.madeFolder = made
    }
    for (const { step } of plan.left) {
      takeStep(step)
      written.push({ current: step.current, madeFolder: null })
    }
    folder.write(record)
  } catch (error) {
    takeBack()
    throw error
  }
  return { record, keep: () => folder.dropBackups(record), takeBack }
}
