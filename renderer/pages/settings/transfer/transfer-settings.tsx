import { BackupPanel } from './backup-panel.tsx'
import { ExportPanel } from './export-panel.tsx'
import { ImportPanel } from './import-panel.tsx'

export function TransferSettings() {
  return (
    <>
      <ExportPanel />
      <ImportPanel />
      <BackupPanel />
    </>
  )
}
