import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'

interface ElapsedProps {
  /** Milliseconds since 1970, by this browser's clock. */
  since: number
}

/** Ticks each second. */
export function Elapsed({ since }: ElapsedProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  return (
    <span title={t('callList.underWay')}>
      {seconds < 60 ? `${seconds} s` : format.duration(seconds * 1000)}
    </span>
  )
}
