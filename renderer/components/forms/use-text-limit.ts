import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Texts {
  description?: string
  /** The server's refusal. */
  error?: ReactNode
}

/** Props of a text field that tells its limit beforehand. Nothing is cut: what is too much is told as well. */
export function useTextLimit() {
  const { t } = useTranslation()
  return (value: string, most: number, { description, error }: Texts = {}) => {
    const over = value.trim().length - most
    return {
      description: description
        ? t('common.longestToo', { hint: description, most })
        : t('common.longest', { most }),
      error: over > 0 ? t('common.tooLong', { most, count: over }) : error,
    }
  }
}
