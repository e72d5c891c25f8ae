import { ActionIcon, Button, Input, Menu } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { focusBeside } from '../../../components/forms/focus-beside.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { MultiSelect, Select, TagsInput } from '../../../components/forms/option-lists.tsx'
import { useEvery } from '../../../gateway/use-every.ts'
import type { ConditionName, ConditionsDraft } from './route-draft.ts'
import { hintBelow, type RouteErrors } from './route-fields.ts'
import styles from './route-form.module.css'

/** In the order of the menu and the list, with what each begins with. */
const beginnings = {
  min_input_tokens: 32_000,
  max_input_tokens: 32_000,
  images: true,
  tools: true,
  web_search: true,
  reasoning: true,
  background: true,
  clients: [],
  token_ids: [],
} as const satisfies ConditionsDraft

const names = Object.keys(beginnings) as ConditionName[]

/** Names that agents have in their sessions. */
const agents = ['claude-code', 'codex', 'opencode']

interface ConditionListProps {
  when: ConditionsDraft
  /** Path of the conditions in the API, such as `rules[0].when`. */
  path: string
  at: RouteErrors['at']
  onChange: (when: ConditionsDraft) => void
}

/** The conditions of a rule, all of which must hold. */
export function ConditionList({ when, path, at, onChange }: ConditionListProps) {
  const { t } = useTranslation()
  const errorId = useId()
  const chosen = names.filter((name) => when[name] !== undefined)
  const free = names.filter((name) => when[name] === undefined)
  const error = at(path)
  return (
    <div>
      <ul
        className={styles.rows}
        aria-label={t('routes.conditions')}
        tabIndex={-1}
        data-refused={error !== undefined || undefined}
        aria-describedby={error ? errorId : undefined}
      >
        {chosen.map((name) => (
          <li key={name} className={styles.condition}>
            <ConditionField
              name={name}
              when={when}
              error={at(`${path}.${name}`)}
              onChange={(fields) => onChange({ ...when, ...fields })}
            />
            <div className={styles.besideField}>
              <ActionIcon
                aria-label={t('routes.removeCondition', { name: t(`routes.${name}`) })}
                onClick={({ currentTarget }) => {
                  focusBeside(currentTarget, currentTarget.closest('li'))
                  const { [name]: _removed, ...others } = when
                  onChange(others)
                }}
              >
                <IconX size={14} />
              </ActionIcon>
            </div>
          </li>
        ))}
      </ul>
      {error && (
        <Input.Error id={errorId} mb={6}>
          {error}
        </Input.Error>
      )}
      {free.length > 0 && (
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Button variant="default" size="compact-xs" leftSection={<IconPlus size={12} />}>
              {t('routes.addCondition')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {free.map((name) => (
              <Menu.Item key={name} onClick={() => onChange({ ...when, [name]: beginnings[name] })}>
                {t(`routes.${name}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}

interface ConditionFieldProps {
  name: ConditionName
  when: ConditionsDraft
  error: string | undefined
  onChange: (fields: ConditionsDraft) => void
}

function ConditionField({ name, when, error, onChange }: ConditionFieldProps) {
  const { t } = useTranslation()
  const label = t(`routes.${name}`)
  if (name === 'token_ids') return <TokenField {...{ label, when, error, onChange }} />
  if (name === 'clients') {
    return (
      <TagsInput
        label={label}
        description={t('routes.clientsHint')}
        inputWrapperOrder={hintBelow}
        data={agents}
        value={when.clients ?? []}
        error={error}
        acceptValueOnBlur
        onChange={(clients) => onChange({ clients })}
      />
    )
  }
  if (name === 'min_input_tokens' || name === 'max_input_tokens') {
    return (
      <NumberField
        label={label}
        min={0}
        whole
        grouped
        value={when[name] ?? ''}
        error={error}
        onChange={(count) => onChange({ [name]: count })}
      />
    )
  }
  return (
    <Select
      label={label}
      data={[
        { value: 'yes', label: t('routes.yes') },
        { value: 'no', label: t('routes.no') },
      ]}
      value={when[name] ? 'yes' : 'no'}
      allowDeselect={false}
      error={error}
      onChange={(value) => onChange({ [name]: value === 'yes' })}
    />
  )
}

/** The list holds only the user's own tokens; those of others stand by their numbers. */
function TokenField({ when, ...rest }: Omit<ConditionFieldProps, 'name'> & { label: string }) {
  const { t } = useTranslation()
  const tokens = useEvery('token.list')
  const { onChange, ...field } = rest
  const chosen = (when.token_ids ?? []).map(String)
  const own = (tokens.data ?? []).map(({ id, name }) => ({
    value: String(id),
    label: name || `#${id}`,
  }))
  const others = chosen.filter((id) => !own.some(({ value }) => value === id))
  return (
    <MultiSelect
      {...field}
      description={t('routes.tokensHint')}
      inputWrapperOrder={hintBelow}
      data={[...own, ...others.map((id) => ({ value: id, label: `#${id}` }))]}
      searchable
      value={chosen}
      onChange={(ids) => onChange({ token_ids: ids.map(Number) })}
    />
  )
}
