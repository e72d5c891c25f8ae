import { GatewayError } from '../../../base/errors.ts'

/** A preview that shows what is no longer so. */
export const changedSincePreview = (): GatewayError =>
  new GatewayError('conflict', {
    message: 'Something was changed since the preview. Nothing was imported: make a new preview.',
    reason: { code: 'changed_since_preview' },
  })
