import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from './api-operations.ts'
import styles from './api-reference.module.css'
import { boundsText, innerSchema, typeText } from './schema-type.ts'

interface SchemaFieldsProps {
  document: Record<string, unknown>
  schema: Schema
  /** Nesting level; nested objects start collapsed. */
  depth?: number
}

/** The object schema of a value, or of a list's items. */
function recordOf(document: Record<string, unknown>, reference: Schema): Schema | null {
  const schema = innerSchema(document, reference)
  if (schema.properties) return schema
  if (schema.items) return recordOf(document, schema.items)
  return null
}

export function SchemaFields({ document, schema, depth = 0 }: SchemaFieldsProps) {
  const record = recordOf(document, schema)
  if (!record) return <code className={styles.type}>{typeText(document, schema)}</code>
  const fields = Object.entries(record.properties ?? {})
  return (
    <ul className={styles.fields}>
      {fields.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          isRequired={record.required?.includes(name) ?? false}
          document={document}
          schema={field}
          depth={depth}
        />
      ))}
    </ul>
  )
}

interface FieldProps extends Required<SchemaFieldsProps> {
  name: string
  isRequired: boolean
}

function Field({ name, isRequired, document, schema, depth }: FieldProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const hasFields = depth < 6 && recordOf(document, schema) !== null
  const bounds = boundsText(document, schema)
  const description = schema.description ?? innerSchema(document, schema).description
  return (
    <li>
      <span className={styles.field}>
        {hasFields ? (
          <UnstyledButton
            className={styles.open}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={12} aria-hidden data-open={isOpen || undefined} />
            {name}
          </UnstyledButton>
        ) : (
          <span className={styles.name}>{name}</span>
        )}
        {isRequired && <span className={styles.required}>{t('apiReference.required')}</span>}
        <code className={styles.type}>{typeText(document, schema)}</code>
        {bounds && <span className={styles.bounds}>{bounds}</span>}
      </span>
      {description && <p className={styles.description}>{description.replaceAll('`', '')}</p>}
      {isOpen && <SchemaFields document={document} schema={schema} depth={depth + 1} />}
    </li>
  )
}
