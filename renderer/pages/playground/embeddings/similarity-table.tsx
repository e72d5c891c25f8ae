import { Text } from '@mantine/core'
import { type CSSProperties, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import type { EmbeddedLine } from './embeddings-task.ts'
import styles from './similarity.module.css'

/** More columns are unreadable. */
const mostColumns = 10
const mostRows = 50

interface SimilarityTableProps {
  lines: readonly EmbeddedLine[]
}

/** Higher similarity is darker. Memoized, so that typing doesn't wait for it. */
export const SimilarityTable = memo(function SimilarityTable({ lines }: SimilarityTableProps) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const columns = lines.length > 1 ? lines.slice(0, mostColumns) : []
  const rows = lines.slice(0, mostRows)
  const decimals = (digits: number) =>
    new Intl.NumberFormat(i18n.language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      // No sign before zero.
      signDisplay: 'negative',
    })
  const [two, four] = [decimals(2), decimals(4)]

  return (
    <div>
      <Text mb={8}>
        {t('tasks.vectors', {
          count: lines.length,
          dimensions: format.count(lines[0]?.vector.length),
        })}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section className={styles.scroller} aria-label={t('tasks.similarity')} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('tasks.line')}</th>
              <th scope="col" className="numeric">
                {t('tasks.norm')}
              </th>
              {columns.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, places are not
                <th scope="col" className="numeric" key={index}>
                  {index + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ text, vector }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <tr key={index}>
                <th scope="row" title={text}>
                  <span className={styles.line}>
                    <span className={styles.number}>{index + 1}</span>
                    <span className={styles.text}>{text}</span>
                  </span>
                </th>
                <td className="numeric">{four.format(norm(vector))}</td>
                {columns.map((column, place) => (
                  <Likeness
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    key={place}
                    value={similarity(vector, column.vector)}
                    isSelf={place === index}
                    digits={two}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {lines.length > mostColumns && (
        <Text c="dimmed" fz={12} mt={6}>
          {t('tasks.firstLines', {
            rows: Math.min(mostRows, lines.length),
            columns: mostColumns,
          })}
        </Text>
      )}
    </div>
  )
})

interface LikenessProps {
  /** From -1 to 1; null when undefined. */
  value: number | null
  /** A line compared with itself. */
  isSelf: boolean
  digits: Intl.NumberFormat
}

function Likeness({ value, isSelf, digits }: LikenessProps) {
  const strength = isSelf ? 0 : Math.round(Math.max(0, value ?? 0) ** 2 * 60)
  return (
    <td
      className={`numeric ${styles.likeness}`}
      data-self={isSelf || undefined}
      style={{ '--strength': `${strength}%` } as CSSProperties}
    >
      {value === null ? '–' : digits.format(value)}
    </td>
  )
}

type Vector = readonly number[]

const dot = (one: Vector, other: Vector): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)

/** 1 for vendors that normalize. */
const norm = (vector: Vector): number => Math.sqrt(dot(vector, vector))

/** From -1 to 1; null when one vector is all zeros. */
function similarity(one: Vector, other: Vector): number | null {
  const lengths = norm(one) * norm(other)
  return lengths === 0 ? null : Math.max(-1, Math.min(1, dot(one, other) / lengths))
}
