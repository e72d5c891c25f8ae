import { useTranslation } from 'react-i18next'
import { FormDrawer } from '../../components/leaving/form-drawer.tsx'
import type { ConnectTool, UndoneTool } from '../../gateway/records.ts'
import { ByHand } from './by-hand/by-hand.tsx'
import { ConnectSteps } from './change/connect-steps.tsx'

interface ToolDrawerProps {
  /** Absent while it is closed. */
  tool: ConnectTool | undefined
  isLocal: boolean
  onUndone: (id: string, outcome: UndoneTool) => void
  onClose: () => void
}

export function ToolDrawer({ tool, isLocal, onUndone, onClose }: ToolDrawerProps) {
  const { t } = useTranslation()
  const isEdited = tool && isLocal && tool.kind === 'file' && tool.status !== 'broken'
  return (
    <FormDrawer
      opened={tool !== undefined}
      onClose={onClose}
      size={640}
      title={tool && t('connectTools.drawerTitle', { name: tool.name })}
    >
      {tool &&
        (isEdited ? (
          <ConnectSteps
            key={tool.id}
            tool={tool}
            onUndone={(outcome) => onUndone(tool.id, outcome)}
            onClose={onClose}
          />
        ) : (
          <ByHand key={tool.id} tool={tool} />
        ))}
    </FormDrawer>
  )
}
