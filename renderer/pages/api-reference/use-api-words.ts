import { useTranslation } from 'react-i18next'
import { areas } from '../../i18n/chinese/api-summaries/areas.ts'
import type { ApiOperation } from './api-operations.ts'
import { operationInChinese } from './operation-in-chinese.ts'

/** Says the operations of the API document, and their areas, in the language of the console. */
export function useApiWords() {
  const { language } = useTranslation().i18n
  const isChinese = language === 'zh'
  return {
    operationsIn: (operations: readonly ApiOperation[]): readonly ApiOperation[] =>
      isChinese ? operations.map(operationInChinese) : operations,
    area: (tag: string): string => (isChinese && areas[tag]) || tag,
  }
}
