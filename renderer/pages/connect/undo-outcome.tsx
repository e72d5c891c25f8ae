import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { UndoneTool } from '../../gateway/records.ts'
import styles from './connect.module.css'

/** The state of the files and of the tool's own token after Undo, and where the tool points now. */
export function UndoOutcome({ outcome }: { outcome: UndoneTool }) {
  const { t } = useTranslation()
  const { files, token, tool } = outcome
  return (
    <>
      <ul className={styles.list}>
        {files.map(({ path, restored }) => (
          <li key={path}>
            <span className="mono">{path}</span>
            <br />
            {t(`connectTools.restored_${restored}`)}
          </li>
        ))}
      </ul>
      {token && (
        <Text className={styles.breaks}>
          {t(`connectTools.ownToken_${token.kept ?? 'removed'}`, { name: token.name })}
        </Text>
      )}
      {tool.other_gateway && (
        <Text className={styles.breaks}>
          {t('connectTools.otherAgain', { address: tool.other_gateway })}
        </Text>
      )}
    </>
  )
}
