import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ConnectTool, RestoredFile } from '../../gateway/records.ts'
import { ByHand } from './by-hand/by-hand.tsx'
import { ConnectSteps } from './change/connect-steps.tsx'

interface ToolDrawerProps {
  /** Absent while it is closed. */
  tool: ConnectTool | undefined
  isLocal: boolean
  onUndone: (id: string, files: readonly RestoredFile[]) => void
  onClose: () => void
}

export function ToolDrawer({ tool, isLocal, onUndone, onClose }: ToolDrawerProps) {
  const { t } = useTranslation()
  const isEdited = tool && isLocal && tool.kind === 'file' && tool.status !== 'broken'
  return (
    <Drawer
      opened={tool !== undefined}
      onClose={onClose}
      size={640}
      title={tool && t('connectTools.drawerTitle', { name: tool.name })}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {tool &&
        (isEdited ? (
          <ConnectSteps
            key={tool.id}
            tool={tool}
            onUndone={(files) => onUndone(tool.id, files)}
            onClose={onClose}
          />
        ) : (
          <ByHand key={tool.id} tool={tool} />
        ))}
    </Drawer>
  )
}
