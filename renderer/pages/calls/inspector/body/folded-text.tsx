import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Characters that are shown at first. */
const FOLDED = 280

/** A text of which the beginning is shown, until the rest is asked for. */
export function FoldedText({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  const [isWhole, setIsWhole] = useState(text.length <= FOLDED)
  if (text.length <= FOLDED) return <>{text}</>
  return (
    <>
      {isWhole ? text : `${text.slice(0, FOLDED)}…`}{' '}
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        aria-expanded={isWhole}
        aria-label={`${t(isWhole ? 'inspector.showLess' : 'inspector.showMore')}: ${label}`}
        onClick={() => setIsWhole(!isWhole)}
      >
        {t(isWhole ? 'inspector.showLess' : 'inspector.showMore')}
      </Button>
    </>
  )
}
