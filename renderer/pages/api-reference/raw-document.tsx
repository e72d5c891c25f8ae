import { Anchor, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../components/actions/save-file.ts'
import { useGateway } from '../../gateway/gateway-context.ts'
import { useOperation } from '../../gateway/queries.ts'

const DOCUMENT_PATH = '/api/openapi.json'

/** A link to the document; the desktop, which opens no plain page, saves a file. */
export function RawDocument({ baseUrl }: { baseUrl: string }) {
  const { t } = useTranslation()
  const { transport } = useGateway()
  const { data } = useOperation('api.document', {})
  if (!data) return null
  if (transport === 'http') {
    return (
      <Anchor href={`${baseUrl}${DOCUMENT_PATH}`} target="_blank" rel="noreferrer">
        {t('apiReference.raw')}
      </Anchor>
    )
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={14} />}
      onClick={() =>
        saveFile('switchyard-openapi.json', JSON.stringify(data, null, 2), 'application/json')
      }
    >
      {t('apiReference.raw')}
    </Button>
  )
}
