import { Badge, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Snippet } from '../../components/actions/snippet.tsx'
import { apiCurl } from './api-curl.ts'
import type { ApiOperation } from './api-operations.ts'
import styles from './api-reference.module.css'
import { SchemaFields } from './schema-fields.tsx'

interface OperationEntryProps {
  operation: ApiOperation
  document: Record<string, unknown>
  baseUrl: string
  isOpen: boolean
  onToggle: () => void
}

const ACCESS = ['none', 'user', 'admin', 'root', 'key', 'signature'] as const

export function OperationEntry({
  operation,
  document,
  baseUrl,
  isOpen,
  onToggle,
}: OperationEntryProps) {
  const { t } = useTranslation()
  const { method, path, summary } = operation
  const access = ACCESS.find((one) => one === operation.access)
  return (
    <li className={styles.operation}>
      <UnstyledButton className={styles.line} aria-expanded={isOpen} onClick={onToggle}>
        <span className={styles.method} data-method={method}>
          {method}
        </span>
        <code className={styles.path}>{path}</code>
        <span className={styles.summary}>{summary}</span>
        {access && (
          <Badge color="gray" className={styles.access}>
            {t(`apiReference.access_${access}`)}
          </Badge>
        )}
      </UnstyledButton>
      {isOpen && <OperationDetails operation={operation} document={document} baseUrl={baseUrl} />}
    </li>
  )
}

function OperationDetails({
  operation,
  document,
  baseUrl,
}: Pick<OperationEntryProps, 'operation' | 'document' | 'baseUrl'>) {
  const { t } = useTranslation()
  const { parameters, body, answer, statuses, name } = operation
  return (
    <div className={styles.details}>
      {parameters.length > 0 && (
        <section>
          <h3>{t('apiReference.parameters')}</h3>
          <SchemaFields
            document={document}
            schema={{
              properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
              required: parameters.filter((one) => one.isRequired).map((one) => one.name),
            }}
          />
        </section>
      )}
      {body && (
        <section>
          <h3>{t('apiReference.body')}</h3>
          <SchemaFields document={document} schema={body} />
        </section>
      )}
      {answer && (
        <section>
          <h3>{t('apiReference.answer')}</h3>
          <SchemaFields document={document} schema={answer} />
        </section>
      )}
      <section>
        <h3>{t('apiReference.statuses')}</h3>
        <ul className={styles.statuses}>
          {statuses.map(({ status, text }) => (
            <li key={status}>
              <code>{status}</code> {text.replaceAll('`', '')}
            </li>
          ))}
        </ul>
      </section>
      <Snippet
        text={apiCurl(operation, document, baseUrl)}
        label={t('apiReference.curl', { name })}
      />
    </div>
  )
}
