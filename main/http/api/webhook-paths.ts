import { webhooks } from '../../manage/payment/webhooks.ts'

const paths = new Set(webhooks.map(({ http }) => http.path))

/** Is the path, with or without a query, one that servers of vendors call? */
export const isWebhookPath = (path: string): boolean =>
  paths.has((path.split('?')[0] ?? '').replace(/\/$/, ''))
