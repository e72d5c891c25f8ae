import type { KeyboardEvent, PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './inspector.module.css'
import type { PanelWidth } from './use-panel-width.ts'

/** Pixels for each press of a key. */
const step = 24

/** The line between list and panel: dragged, or moved by the arrow keys. */
export function PanelResizer({ width }: { width: PanelWidth }) {
  const { t } = useTranslation()
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: width.value + step,
      ArrowRight: width.value - step,
      Home: width.most,
      End: width.least,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    width.set(next)
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const { currentTarget: line, pointerId, clientX } = event
    event.preventDefault()
    line.setPointerCapture(pointerId)
    const move = (moved: globalThis.PointerEvent) =>
      width.set(width.value + clientX - moved.clientX)
    line.addEventListener('pointermove', move)
    line.addEventListener(
      'lostpointercapture',
      () => line.removeEventListener('pointermove', move),
      {
        once: true,
      },
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr takes no focus and no value
    <div
      className={styles.resizer}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('callPanel.resize')}
      aria-valuenow={width.value}
      aria-valuemin={width.least}
      aria-valuemax={width.most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    />
  )
}
