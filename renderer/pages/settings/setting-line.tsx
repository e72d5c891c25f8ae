import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './settings.module.css'

interface SettingLineProps {
  label: string
  /** Id of the control. */
  labelFor?: string
  hint?: string | undefined
  /** After the label. */
  mark?: ReactNode
  children: ReactNode
}

export function SettingLine({ label, labelFor, hint, mark, children }: SettingLineProps) {
  return (
    <div className={styles.line}>
      <div>
        <Group gap={8}>
          <Text
            component={labelFor ? 'label' : 'div'}
            fw={500}
            {...(labelFor && { htmlFor: labelFor })}
          >
            {label}
          </Text>
          {mark}
        </Group>
        {hint && (
          <Text c="dimmed" fz={12}>
            {hint}
          </Text>
        )}
      </div>
      <div className={styles.control}>{children}</div>
    </div>
  )
}
