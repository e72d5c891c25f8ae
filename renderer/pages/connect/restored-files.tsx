import { useTranslation } from 'react-i18next'
import type { RestoredFile } from '../../gateway/records.ts'
import styles from './connect.module.css'

export function RestoredFiles({ files }: { files: readonly RestoredFile[] }) {
  const { t } = useTranslation()
  return (
    <ul className={styles.list}>
      {files.map(({ path, restored }) => (
        <li key={path}>
          <span className="mono">{path}</span>
          <br />
          {t(`connectTools.restored_${restored}`)}
        </li>
      ))}
    </ul>
  )
}
