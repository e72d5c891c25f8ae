import { Alert, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Select } from '../../../components/forms/option-lists.tsx'
import { useUnsavedDraft } from '../../../components/leaving/use-unsaved.ts'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import type { ChosenModels, ConnectTool, TokenRecord, ToolModel } from '../../../gateway/records.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { FileChange } from './file-change.tsx'
import { ModelFields } from './model-fields.tsx'

/** The models it has now; without a main one the first, which fits best. */
function firstModels({ slots, chosen }: ConnectTool, models: readonly ToolModel[]): ChosenModels {
  const present: Record<string, string | undefined> = chosen ?? {}
  const kept: ChosenModels = { main: models[0]?.id ?? '' }
  for (const { id: slot } of slots) {
    const model = models.find(({ id }) => id === present[slot])
    if (model) kept[slot] = model.id
  }
  return kept
}

interface ChangeFormProps {
  tool: ConnectTool
  models: readonly ToolModel[]
  tokens: readonly TokenRecord[]
  onApplied: () => void
}

const enabled = 1
const newToken = 'new'

/** The diff follows what is chosen; Apply writes exactly the one that is shown. */
export function ChangeForm({ tool, models, tokens, onApplied }: ChangeFormProps) {
  const { t } = useTranslation()
  const say = useSentence()
  const usable = tokens.filter(({ id, status }) => status === enabled || id === tool.token?.id)
  const [tokenId, setTokenId] = useState<number | null>(
    () => usable.find(({ id }) => id === tool.token?.id)?.id ?? null,
  )
  const [chosen, setChosen] = useState(() => firstModels(tool, models))
  const draft = { tool: tool.id, token_id: tokenId, models: chosen }
  useUnsavedDraft(draft)
  const preview = useOperation('connect.preview', draft, { keepPrevious: true, forget: true })
  const apply = useAction('connect.apply', ['connect.tools', 'token.list'])

  const run = async (digest: string) => {
    if (await apply.run({ ...draft, digest })) onApplied()
    // A file that changed meanwhile has another diff.
    else void preview.refetch()
  }
  return (
    <Stack gap="md">
      <Select
        label={t('connectTools.token')}
        description={t('connectTools.tokenHint')}
        data={[
          { value: newToken, label: t('connectTools.newToken', { name: tool.name }) },
          ...usable.map(({ id, name }) => ({ value: String(id), label: `${name} (#${id})` })),
        ]}
        value={tokenId === null ? newToken : String(tokenId)}
        allowDeselect={false}
        searchable
        disabled={apply.busy}
        onChange={(value) => setTokenId(value === newToken ? null : Number(value))}
      />
      <ModelFields
        tool={tool}
        models={models}
        chosen={chosen}
        disabled={apply.busy}
        onChange={setChosen}
      />
      <QueryView query={preview} verb={t('connectTools.comparing')}>
        {({ files, warnings, digest, token: { aliases, adds, refuses } }) => (
          <>
            {warnings.map((warning) => (
              <Alert key={warning.message} color="orange" role="note">
                {say(warning)}
              </Alert>
            ))}
            {files.map((file) => (
              <FileChange key={file.path} file={file} />
            ))}
            <Text c="dimmed">{t('connectTools.backup')}</Text>
            {Object.entries(aliases).map(([alias, model]) => (
              <Text key={alias}>{t('connectTools.modelAlias', { ...tool, alias, model })}</Text>
            ))}
            {adds.length > 0 && (
              <Text>{t('connectTools.tokenAdds', { models: adds.join(', ') })}</Text>
            )}
            {tool.steps.length > 0 && (
              <Text>{t('connectTools.stepsAhead', { count: tool.steps.length })}</Text>
            )}
            <FailureNote failure={apply.failure} />
            <Group justify="flex-end" gap={8}>
              <ActionButton
                busy={apply.busy}
                busyLabel={t('connectTools.applying')}
                onCancel={apply.cancel}
                disabled={preview.isPlaceholderData || preview.isError || refuses.length > 0}
                onClick={() => void run(digest)}
              >
                {t('connectTools.apply')}
              </ActionButton>
            </Group>
          </>
        )}
      </QueryView>
    </Stack>
  )
}
