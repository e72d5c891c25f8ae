import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import type { ConnectTool, UndoneTool } from '../../../gateway/records.ts'
import { useEvery } from '../../../gateway/use-every.ts'
import { ChangeForm } from './change-form.tsx'
import { FirstCall } from './first-call.tsx'
import { NoModels } from './no-models.tsx'

interface ConnectStepsProps {
  tool: ConnectTool
  onUndone: (outcome: UndoneTool) => void
  onClose: () => void
}

/** Choose and look at the change, then wait for the first call. */
export function ConnectSteps({ tool, onUndone, onClose }: ConnectStepsProps) {
  const { t } = useTranslation()
  const [isApplied, setApplied] = useState(false)
  const models = useOperation('connect.models', { tool: tool.id })
  const tokens = useEvery('token.list')
  if (isApplied) return <FirstCall tool={tool} onUndone={onUndone} onClose={onClose} />
  return (
    <QueryView query={models} verb={t('connectTools.loadingModels')}>
      {(offered) =>
        offered.models.length === 0 ? (
          <NoModels />
        ) : (
          <QueryView query={tokens} verb={t('tokens.loading')}>
            {(items) => (
              <ChangeForm
                tool={tool}
                models={offered.models}
                tokens={items}
                onApplied={() => setApplied(true)}
              />
            )}
          </QueryView>
        )
      }
    </QueryView>
  )
}
