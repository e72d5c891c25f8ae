import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { Json } from '../requests/refusal.ts'

/** One tool result as an upstream got it. */
export interface SeenResult {
  text: string
  isError: boolean
  /** Base64 of the images inside it. */
  images: string[]
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : [])

const dataOf = (url: unknown): string => String(url).replace(/^data:[^,]*,/, '')

/** The tool results of a request's body, in their order. */
export function readResults(format: WireFormat, body: Json): SeenResult[] {
  if (format === 'chat') {
    return list(body.messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => ({ text: textOf(content), isError: false, images: [] }))
  }
  if (format === 'responses') {
    return list(body.input)
      .filter(({ type }) => String(type).endsWith('call_output'))
      .map(({ output }) => ({
        text: textOf(output),
        isError: false,
        images: list(output)
          .filter(({ type }) => type === 'input_image')
          .map((part) => dataOf(part.image_url)),
      }))
  }
  if (format === 'messages') {
    return list(body.messages)
      .flatMap(({ content }) => list(content))
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({
        text: textOf(block.content),
        isError: block.is_error === true,
        images: list(block.content)
          .filter(({ type }) => type === 'image')
          .map(({ source }) => String((source as Json).data)),
      }))
  }
  return list(body.contents)
    .flatMap(({ parts }) => list(parts))
    .filter((part) => 'functionResponse' in part)
    .map(({ functionResponse }) => {
      const { response, parts } = functionResponse as Json
      return {
        text: JSON.stringify(response),
        isError: 'error' in (response as Json),
        images: list(parts).map(({ inlineData }) => String((inlineData as Json).data)),
      }
    })
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('')

/** Base64 of every image of a request, wherever it stands. */
export const readImages = (body: Json): string[] => {
  const text = JSON.stringify(body)
  const found = text.matchAll(/(?:"data":"|;base64,)([A-Za-z0-9+/=]{40,})"/g)
  return [...found].map(([, data]) => data ?? '')
}

/** Are the loop's tools among those of the request, in whatever format? */
export const offersLoop = (body: Json): boolean =>
  JSON.stringify(body.tools ?? []).includes('"list_files"')
