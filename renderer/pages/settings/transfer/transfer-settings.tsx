import { BackupPanel } from './backup-panel.tsx'
import { ExportPanel } from './export-panel.tsx'
import { FoundPanel } from './found-panel.tsx'
import { ImportPanel } from './import-panel.tsx'
import { LinkDialog } from './link-dialog.tsx'

export function TransferSettings() {
  return (
    <>
      <LinkDialog />
      <FoundPanel />
      <ImportPanel />
      <ExportPanel />
      <BackupPanel />
    </>
  )
}
