import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonFault } from './json-places.ts'

/** Gives what says in words why a text is no JSON object, but not where. */
export function useFaultSentence(): (fault: JsonFault) => string {
  const { t } = useTranslation()
  return useCallback(
    ({ kind, found }: JsonFault) => {
      if (kind === 'not-object') return t('common.jsonObject')
      if (kind === 'end') return t('common.jsonEndsEarly')
      return t('common.jsonUnexpected', { found: found === '\n' ? '↵' : found })
    },
    [t],
  )
}
