import { Button, Loader } from '@mantine/core'
import { IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CurlButton } from './curl-button.tsx'
import type { CurlRequest } from './curl-command.ts'
import styles from './task.module.css'

export interface RunWords {
  /** "Generate" */
  verb: string
  /** "Generating the picture…" */
  busy: string
}

interface RunBarProps {
  words: RunWords
  isRunning: boolean
  isReady: boolean
  onStop: () => void
  request: () => CurlRequest
}

/** Run or Stop; Run submits the form around it. */
export function RunBar({ words, isRunning, isReady, onStop, request }: RunBarProps) {
  const { t } = useTranslation()
  const seconds = useElapsed(isRunning)
  return (
    <div className={styles.bar}>
      {isRunning ? (
        <>
          {/* Its own key: a double click on Run must not submit again. */}
          <Button
            key="stop"
            type="button"
            color="gray"
            leftSection={<IconPlayerStopFilled size={13} />}
            onClick={onStop}
          >
            {t('playground.stop')}
          </Button>
          <span className={styles.busy} role="status">
            <Loader size={14} aria-hidden />
            {words.busy}
          </span>
          {seconds > 0 && (
            <span className={styles.elapsed} aria-hidden>
              {t('tasks.elapsed', { seconds })}
            </span>
          )}
        </>
      ) : (
        <>
          <Button
            key="run"
            type="submit"
            color="iris"
            disabled={!isReady}
            leftSection={<IconPlayerPlayFilled size={13} />}
          >
            {words.verb}
          </Button>
          <span className={styles.keys}>{t('tasks.runHint')}</span>
        </>
      )}
      <span className={styles.apart}>
        <CurlButton request={request} />
      </span>
    </div>
  )
}

/** Whole seconds since `isRunning` became true, else 0. */
function useElapsed(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    if (!isRunning) return
    const startedAt = performance.now()
    const timer = setInterval(
      () => setSeconds(Math.floor((performance.now() - startedAt) / 1000)),
      1000,
    )
    return () => clearInterval(timer)
  }, [isRunning])
  return seconds
}
