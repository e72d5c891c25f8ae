import { Badge, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Snippet } from '../../components/actions/snippet.tsx'
import { apiCurl } from './api-curl.ts'
import type { ApiOperation } from './api-operations.ts'
import styles from './api-reference.module.css'
import { SchemaFields } from './schema-fields.tsx'
import { StatusCodes } from './status-codes.tsx'
import { TryIt } from './try-it.tsx'

interface OperationEntryProps {
  operation: ApiOperation
  document: Record<string, unknown>
  baseUrl: string
  meanings: ReadonlyMap<string, string>
  isOpen: boolean
  onToggle: () => void
}

const ACCESS = ['none', 'user', 'admin', 'root', 'key', 'signature'] as const

export function OperationEntry({
  operation,
  document,
  baseUrl,
  meanings,
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
      {isOpen && (
        <OperationDetails
          operation={operation}
          document={document}
          baseUrl={baseUrl}
          meanings={meanings}
        />
      )}
    </li>
  )
}

/** Forms have files, and realtime is a WebSocket. */
const isTried = ({ access, body, bodyType, path }: ApiOperation): boolean =>
  access === 'key' &&
  (body === null || bodyType === 'application/json') &&
  !path.endsWith('/realtime')

function OperationDetails({
  operation,
  document,
  baseUrl,
  meanings,
}: Pick<OperationEntryProps, 'operation' | 'document' | 'baseUrl' | 'meanings'>) {
  const { t } = useTranslation()
  const { parameters, body, answer, name } = operation
  const canTry = isTried(operation)
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
      {body?.properties && (
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
      <StatusCodes operation={operation} meanings={meanings} />
      {canTry && (
        <section>
          <h3>{t('apiReference.tryIt')}</h3>
          <TryIt operation={operation} />
        </section>
      )}
      <Snippet
        text={apiCurl(operation, document, baseUrl)}
        label={t('apiReference.curl', { name })}
      />
    </div>
  )
}
