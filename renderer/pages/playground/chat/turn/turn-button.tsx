import { ActionIcon, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

interface TurnButtonProps {
  label: string
  onClick: () => void
  children: ReactNode
}

export function TurnButton({ label, onClick, children }: TurnButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} onClick={onClick} aria-label={label}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
