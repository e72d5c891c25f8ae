import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../../gateway/queries.ts'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { roles, useRole } from '../../../../gateway/use-role.ts'
import type { CaptureRecord } from './capture-record.ts'
import { MissingCapture } from './missing-capture.tsx'

/** Milliseconds between two looks at a call under way. */
const STEP = 1000

/** The capture of a call; null while there is none. Common users are told whether they may see any. */
export function useCapture({ kind, request_id: id = '', has_capture: isKept }: TimelineRow) {
  const isCommon = useRole() === roles.common
  return useOperation(
    'capture.get',
    { request_id: id },
    {
      enabled: (isKept || isCommon) && id !== '',
      ...(kind === 'running' && { refetchInterval: STEP }),
    },
  )
}

interface CapturedCallProps {
  call: TimelineRow
  children: (capture: CaptureRecord) => ReactNode
}

/** Shows the capture of a call, or says why there is none. */
export function CapturedCall({ call, children }: CapturedCallProps) {
  const { t } = useTranslation()
  const query = useCapture(call)
  const isMissing = !call.has_capture && !query.data && !query.isLoading
  const status = query.error?.status
  // Also where it was deleted after it was read.
  if (isMissing || !call.request_id || status === 404 || status === 403) {
    const failure = call.has_capture || status === 403 ? query.error : null
    return <MissingCapture call={call} failure={failure} />
  }
  return (
    <QueryView query={query} verb={t('inspector.loading')}>
      {children}
    </QueryView>
  )
}
