import { modelName } from '../../model/model-name.ts'
import type { BridgeTarget } from '../bridge.ts'

/** Shapes that every image model of Google's makes: https://ai.google.dev/gemini-api/docs/image-generation */
const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']

/** Pixels of a square of each size, rising. */
const SIZES = [
  ['1K', 1024 ** 2],
  ['2K', 2048 ** 2],
] as const
/** A picture with this share of the pixels that are asked for will do: 1K for 1792x1024, 4K for 3840x2160. */
const ENOUGH = 0.55

const shapeOf = (ratio: string): number => {
  const [width, height] = ratio.split(':').map(Number) as [number, number]
  return width / height
}

/** The shape that differs by the smallest factor. */
function nearestRatio(wanted: number): string {
  const distance = (ratio: string) => Math.abs(Math.log(shapeOf(ratio) / wanted))
  return RATIOS.reduce((best, one) => (distance(one) < distance(best) ? one : best))
}

/**
 * OpenAI's `size` (`1536x1024`) as Google's `imageConfig`: the nearest shape and resolution, noted where
 * another picture comes of it. Undefined for `auto`.
 */
export function imageConfigOf(
  size: string,
  { model, loss }: BridgeTarget,
): { aspectRatio: string; imageSize?: string } | undefined {
  if (size === 'auto') return undefined
  const [, width, height] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(size)?.map(Number) ?? []
  if (width === undefined || height === undefined) {
    return loss.refuse('size', 'must_be_size')
  }
  const aspectRatio = nearestRatio(width / height)
  const [wanted] = SIZES.find(([, pixels]) => pixels >= ENOUGH * width * height) ?? ['4K']
  // Gemini 2.5 knows one size only, and no such field.
  const imageSize = modelName(model).startsWith('gemini-2') ? '1K' : wanted
  if (size !== '1024x1024' || imageSize !== '1K') {
    loss.approximate('size', { code: 'becomes_shape', shape: aspectRatio, size: imageSize })
  }
  return { aspectRatio, ...(imageSize === '1K' ? {} : { imageSize }) }
}
