import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../gateway/queries.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { useCallsActions } from '../calls-context.ts'

/** Stops a call under way; its row then says what came of it. */
export function StopCall({ call }: { call: TimelineRow }) {
  const { t } = useTranslation()
  const { replace } = useCallsActions()
  const stop = useAction('call.stop')
  const id = call.request_id ?? ''
  const run = async (event: MouseEvent) => {
    event.stopPropagation()
    const reply = await stop.run({ request_id: id })
    if (reply) replace(reply.data)
  }
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconPlayerStop size={12} />}
        aria-label={t('callList.stopThing', { model: call.model_name, id })}
        disabled={stop.busy}
        onClick={run}
      >
        {t(stop.busy ? 'callList.stopping' : 'callList.stop')}
      </Button>
      {stop.failure && (
        <span role="alert" title={stop.failure.message} data-bad>
          {t('callList.notStopped')}
        </span>
      )}
    </>
  )
}
