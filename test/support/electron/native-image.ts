import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { NativeImage } from 'electron'
import type { Picture } from '../images/picture.ts'
import { readIco } from '../images/read-ico.ts'
import { readPng } from '../images/read-png.ts'
import { writePng } from '../images/write-png.ts'

/** Scale factors that a file's name may end in, as `icon@2x.png`. */
const scales = [1, 1.25, 1.33, 1.4, 1.5, 1.8, 2, 2.5, 3, 4, 5]

/** Decodes as Electron does: what is no picture gives null, and no error. PNG only, of what Electron reads. */
function decode<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** An image whose pixels are really decoded, so that a broken file is an empty image here too. */
class StandInImage
  implements
    Pick<
      NativeImage,
      | 'addRepresentation'
      | 'getScaleFactors'
      | 'getSize'
      | 'isEmpty'
      | 'isMacTemplateImage'
      | 'isTemplateImage'
      | 'setTemplateImage'
      | 'toBitmap'
      | 'toDataURL'
      | 'toPNG'
    >
{
  /** By scale factor. */
  readonly #pictures = new Map<number, Picture>()
  isMacTemplateImage = false

  static createEmpty(): StandInImage {
    return new StandInImage()
  }

  static createFromPath(path: string): StandInImage {
    const image = new StandInImage()
    const extension = extname(path)
    if (extension === '.ico') return process.platform === 'win32' ? fromIco(path) : image
    const stem = path.slice(0, path.length - extension.length)
    image.#add(1, path)
    for (const scale of scales) {
      const scaled = `${stem}@${scale}x${extension}`
      if (existsSync(scaled)) image.#add(scale, scaled)
    }
    if (process.platform === 'darwin') image.isMacTemplateImage = /Template(@.*x)?\./.test(path)
    return image
  }

  static createFromDataURL(url: string): StandInImage {
    const image = new StandInImage()
    const base64 = /^data:image\/png;base64,(.+)$/.exec(url)?.[1]
    if (base64) image.addRepresentation({ buffer: Buffer.from(base64, 'base64') })
    return image
  }

  #add(scale: number, path: string): void {
    const picture = decode(() => readPng(readFileSync(path)))
    if (picture) this.#pictures.set(scale, picture)
  }

  addRepresentation({
    scaleFactor = 1,
    buffer,
    dataURL,
  }: Parameters<NativeImage['addRepresentation']>[0]): void {
    const bytes =
      buffer ?? Buffer.from(dataURL?.replace('data:image/png;base64,', '') ?? '', 'base64')
    const picture = decode(() => readPng(bytes))
    if (picture) this.#pictures.set(scaleFactor, picture)
  }

  isEmpty(): boolean {
    return this.#pictures.size === 0
  }

  isTemplateImage(): boolean {
    return this.isMacTemplateImage
  }

  setTemplateImage(isTemplate: boolean): void {
    this.isMacTemplateImage = isTemplate
  }

  getScaleFactors(): number[] {
    return [...this.#pictures.keys()].sort((one, other) => one - other)
  }

  /** In points: the size of the picture divided by its scale factor. */
  getSize(scaleFactor?: number): { width: number; height: number } {
    const [scale, picture] = this.#nearest(scaleFactor ?? 1)
    return { width: picture.width / scale, height: picture.height / scale }
  }

  #nearest(wanted: number): [number, Picture] {
    const known = this.getScaleFactors()
    const scale = known.find((factor) => factor >= wanted) ?? known.at(-1) ?? 1
    return [scale, this.#pictures.get(scale) ?? { width: 0, height: 0, rgba: Buffer.alloc(0) }]
  }

  /** As Electron gives it: BGRA. */
  toBitmap({ scaleFactor = 1 }: { scaleFactor?: number } = {}): Buffer {
    return Buffer.from(this.#nearest(scaleFactor)[1].rgba).map((_byte, at, rgba) => {
      const swapped = [2, 1, 0, 3][at % 4] as number
      return rgba[at - (at % 4) + swapped] as number
    }) as Buffer
  }

  toPNG({ scaleFactor = 1 }: { scaleFactor?: number } = {}): Buffer {
    return this.isEmpty() ? Buffer.alloc(0) : writePng(this.#nearest(scaleFactor)[1])
  }

  toDataURL(options: { scaleFactor?: number } = {}): string {
    return `data:image/png;base64,${this.toPNG(options).toString('base64')}`
  }

  /** Without smoothing, which nobody looks at here. */
  resize({ width, height }: Electron.ResizeOptions): StandInImage {
    const resized = new StandInImage()
    for (const [scale, picture] of this.#pictures) {
      const wide = Math.round((width ?? (picture.width * (height ?? 1)) / picture.height) * scale)
      const high = Math.round((height ?? (picture.height * (width ?? 1)) / picture.width) * scale)
      const rgba = Buffer.alloc(wide * high * 4)
      for (let at = 0; at < wide * high; at++) {
        const x = Math.floor(((at % wide) * picture.width) / wide)
        const y = Math.floor((Math.floor(at / wide) * picture.height) / high)
        const from = (y * picture.width + x) * 4
        picture.rgba.copy(rgba, at * 4, from, from + 4)
      }
      resized.#pictures.set(scale, { width: wide, height: high, rgba })
    }
    return resized
  }
}

/** Windows draws an icon's own pictures; the image that can be asked about is the largest one. */
function fromIco(path: string): StandInImage {
  const pictures = decode(() => readIco(readFileSync(path))) ?? []
  const largest = pictures.sort((one, other) => other.width - one.width)[0]
  return largest
    ? StandInImage.createFromDataURL(
        `data:image/png;base64,${writePng(largest).toString('base64')}`,
      )
    : StandInImage.createEmpty()
}

export { StandInImage as nativeImage }
