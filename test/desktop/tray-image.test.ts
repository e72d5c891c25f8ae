import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { trayImage } from '../../main/desktop/tray/tray-image.ts'
import { app } from '../support/electron/app.ts'
import type { Picture } from '../support/images/picture.ts'
import { readIco } from '../support/images/read-ico.ts'
import { readPng } from '../support/images/read-png.ts'

vi.mock('electron', () => import('../support/electron/electron.ts'))

const real = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
afterEach(() => Object.defineProperty(process, 'platform', real))

/** Electron itself goes by the platform too: it knows template images on macOS alone, and icons on Windows. */
function imageOn(platform: NodeJS.Platform) {
  Object.defineProperty(process, 'platform', { ...real, value: platform })
  return trayImage()
}

const opacityOf = ({ rgba }: Picture) => rgba.filter((_byte, at) => at % 4 === 3)
const coloursOf = ({ rgba }: Picture) => {
  const colours = new Set<string>()
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at + 3] === 255) colours.add(rgba.toString('hex', at, at + 3))
  }
  return colours
}
const file = (name: string) => readFileSync(join('main/desktop/tray-icons', name))

describe('the picture in the menu bar of macOS', () => {
  test('is a template image, sharp at one and at two pixels a point', () => {
    const image = imageOn('darwin')
    expect(image.isEmpty()).toBe(false)
    expect(image.isTemplateImage()).toBe(true)
    expect(image.getScaleFactors()).toEqual([1, 2])
    expect(image.getSize()).toEqual({ width: 16, height: 16 })
    expect(image.getSize(2)).toEqual({ width: 16, height: 16 })
  })

  test.each([
    ['trayTemplate.png', 16, 72],
    ['trayTemplate@2x.png', 32, 144],
  ])('%s is black of %i pixels at %i dots an inch, and partly see-through', (name, side, dots) => {
    const picture = readPng(file(name))
    expect(picture).toMatchObject({ width: side, height: side })
    expect(picture.resolution).toBe(Math.round(dots / 0.0254))
    expect([...coloursOf(picture)]).toEqual(['000000'])
    const opacity = opacityOf(picture)
    expect(opacity.filter((value) => value === 0).length).toBeGreaterThan(opacity.length / 3)
    expect(opacity.filter((value) => value === 255).length).toBeGreaterThan(opacity.length / 12)
  })
})

test('the picture in the tray of Linux is in colour, at one and at two pixels a point', () => {
  const image = imageOn('linux')
  expect(image.isTemplateImage()).toBe(false)
  expect(image.getScaleFactors()).toEqual([1, 2])
  expect(image.getSize()).toEqual({ width: 22, height: 22 })
  const colours = coloursOf(readPng(file('tray@2x.png')))
  expect(colours).toContain('4255d4')
  expect(colours).toContain('ffffff')
})

test('the icon in the tray of Windows has a picture for every scaling of the screen', () => {
  expect(imageOn('win32').isEmpty()).toBe(false)
  const pictures = readIco(file('tray.ico'))
  // 100, 125, 150, 200, 250 and 300 percent of 16.
  expect(pictures.map(({ width }) => width)).toEqual([16, 20, 24, 32, 40, 48])
  for (const picture of pictures) {
    expect(coloursOf(picture)).toContain('4255d4')
    expect(opacityOf(picture)[0], 'the corner').toBeLessThan(255)
  }
})

test('a picture that is missing or damaged is an empty image, and no error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-tray-'))
  const path = vi.spyOn(app, 'getAppPath').mockReturnValue(folder)
  expect(imageOn('linux').isEmpty()).toBe(true)
  const icons = join(folder, 'main/desktop/tray-icons')
  cpSync('main/desktop/tray-icons', icons, { recursive: true })
  expect(imageOn('linux').isEmpty()).toBe(false)
  for (const name of ['tray.png', 'tray@2x.png']) {
    writeFileSync(join(icons, name), file(name).fill(0, 60, 80))
  }
  expect(imageOn('linux').isEmpty()).toBe(true)
  path.mockRestore()
  rmSync(folder, { recursive: true })
})
