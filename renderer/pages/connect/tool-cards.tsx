import type { ConnectTool, UndoneTool } from '../../gateway/records.ts'
import styles from './connect.module.css'
import { ToolCard } from './tool-card.tsx'

interface ToolCardsProps {
  tools: readonly ConnectTool[]
  isLocal: boolean
  /** By tool: of its last Undo. */
  undone: Readonly<Record<string, UndoneTool>>
  onOpen: (tool: ConnectTool) => void
  onUndone: (id: string, outcome: UndoneTool) => void
  onDismiss: (id: string) => void
}

export function ToolCards(props: ToolCardsProps) {
  const { tools, isLocal, undone, onOpen, onUndone, onDismiss } = props
  return (
    <ul className={styles.cards}>
      {tools.map((tool) => (
        <ToolCard
          key={tool.id}
          tool={tool}
          isLocal={isLocal}
          undone={undone[tool.id]}
          onOpen={() => onOpen(tool)}
          onUndone={(outcome) => onUndone(tool.id, outcome)}
          onDismiss={() => onDismiss(tool.id)}
        />
      ))}
    </ul>
  )
}
