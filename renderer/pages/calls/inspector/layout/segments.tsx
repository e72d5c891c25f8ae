import { SegmentedControl } from '@mantine/core'
import styles from './tab.module.css'

interface SegmentsProps<Value extends string> {
  /** Names it for screen readers. */
  label: string
  value: Value
  data: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A choice of few; it scrolls where it is wider than its place. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, data, onChange } = props
  return (
    <div className={styles.segments}>
      <SegmentedControl aria-label={label} value={value} data={[...data]} onChange={onChange} />
    </div>
  )
}
