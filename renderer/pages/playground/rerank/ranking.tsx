import { useTranslation } from 'react-i18next'
import styles from './ranking.module.css'
import type { RankedDocument } from './rerank-task.ts'

/** Each document with its score as a bar and its original line. */
export function Ranking({ documents }: { documents: readonly RankedDocument[] }) {
  const { t, i18n } = useTranslation()
  const digits = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 4,
    maximumFractionDigits: 4,
  })
  const share = shareOf(documents.map(({ score }) => score))
  return (
    <ol className={styles.ranking} aria-label={t('tasks.rankingList')}>
      {documents.map(({ text, position, score }) => (
        <li key={position} className={styles.document}>
          <div className={styles.text}>{text}</div>
          <div className={styles.measure}>
            <span className={styles.track} aria-hidden>
              <span className={styles.bar} style={{ width: `${share(score) * 100}%` }} />
            </span>
            <span className={styles.score}>{digits.format(score)}</span>
            <span className={styles.position}>{t('tasks.position', { position })}</span>
          </div>
        </li>
      ))}
    </ol>
  )
}

/**
 * Bar length from 0 to 1: the score itself, or its place between the lowest and highest when scores aren't
 * in 0 to 1.
 */
function shareOf(scores: readonly number[]): (score: number) => number {
  const [least, most] = [Math.min(...scores), Math.max(...scores)]
  if (least >= 0 && most <= 1) return (score) => score
  return (score) => (most === least ? 1 : (score - least) / (most - least))
}
