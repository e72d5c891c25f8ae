import type { TFunction } from 'i18next'

/** `client.request` or `exchange.0.answer` in words. */
export function borderName(t: TFunction, border: string): string {
  const [side, index, kind] = border.split('.')
  if (side === 'client') {
    return t(index === 'request' ? 'inspector.clientRequest' : 'inspector.clientAnswer')
  }
  const number = Number(index) + 1
  return kind === 'request'
    ? t('inspector.upstreamRequest', { number })
    : t('inspector.upstreamAnswer', { number })
}
