import { expect, test } from 'vitest'
import {
  decodeUsage,
  encodeUsage,
} from '../../../../main/convert/generate-content/answer/usage-metadata.ts'

test('pictures from the cache and what tools brought in are counted, and told as they came', () => {
  const usage = decodeUsage({
    ...{ promptTokenCount: 1000, cachedContentTokenCount: 300, toolUsePromptTokenCount: 50 },
    ...{ candidatesTokenCount: 10, totalTokenCount: 1060 },
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 600 },
      { modality: 'IMAGE', tokenCount: 400 },
    ],
    cacheTokensDetails: [{ modality: 'IMAGE', tokenCount: 200 }],
  })
  expect(usage).toMatchObject({
    ...{ input: 1050, cachedInput: 300, output: 10 },
    detail: { inputImage: 400, cachedImage: 200, toolPrompt: 50 },
  })
  expect(usage && encodeUsage(usage)).toMatchObject({
    ...{ promptTokenCount: 1000, cachedContentTokenCount: 300, toolUsePromptTokenCount: 50 },
    totalTokenCount: 1060,
  })
})
